import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many connections to a host each process has, so that all together keep its limit. */
export class ShareConnections1795795000000 implements MigrationInterface {
  name = 'ShareConnections1795795000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE target_paces ADD holders jsonb NOT NULL DEFAULT '{}'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
