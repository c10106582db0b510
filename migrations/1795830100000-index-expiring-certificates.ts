import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ports whose certificate expires: an organization may have a million ports. */
export class IndexExpiringCertificates1795830100000 implements MigrationInterface {
  name = 'IndexExpiringCertificates1795830100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_observed_ports_expiring');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ix_observed_ports_expiring ON observed_ports (organization_id)
       WHERE certificate_told IS NOT NULL`,
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
