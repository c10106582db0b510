import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * severity: of the finding, up to the row that was read last. The first row of each finding has it, and the fingerprint, also if
 * the import is no dry run.
 */
export class AddSeverityOfImportRows1795500000000 implements MigrationInterface {
  name = 'AddSeverityOfImportRows1795500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE import_rows ADD COLUMN severity int');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
