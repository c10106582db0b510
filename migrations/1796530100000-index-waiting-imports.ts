import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The few imports of all organizations that wait for an answer. */
export class IndexWaitingImports1796530100000 implements MigrationInterface {
  name = 'IndexWaitingImports1796530100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_imports_waiting');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY ix_imports_waiting ON imports (waits_until) WHERE waits_until IS NOT NULL',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
