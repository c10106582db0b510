import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The few dry runs of all organizations whose files are kept. */
export class IndexKeptFiles1795850100000 implements MigrationInterface {
  name = 'IndexKeptFiles1795850100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_imports_kept');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY ix_imports_kept ON imports (file_kept_until) WHERE file_kept_until IS NOT NULL',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
