import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when the file of a dry run can be imported without a second upload. */
export class KeepFilesOfDryRuns1795850000000 implements MigrationInterface {
  name = 'KeepFilesOfDryRuns1795850000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE imports ADD COLUMN file_kept_until timestamptz(3)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
