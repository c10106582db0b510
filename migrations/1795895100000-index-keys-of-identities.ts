import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IndexKeysOfIdentities1795895100000 implements MigrationInterface {
  name = 'IndexKeysOfIdentities1795895100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_api_keys_identity');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY ix_api_keys_identity ON api_keys (identity_id) WHERE identity_id IS NOT NULL',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
