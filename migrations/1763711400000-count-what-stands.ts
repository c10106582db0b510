import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountWhatStands1763711400000 implements MigrationInterface {
  name = 'CountWhatStands1763711400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- As the job saw it: somebody may have recorded the same as harmless.
      ALTER TABLE job_findings ADD COLUMN severity int,
        ADD CONSTRAINT ck_job_findings_severity CHECK (severity BETWEEN 0 AND 6);

      -- What stands on a host and no job can test.
      CREATE INDEX ix_findings_untested ON findings (organization_id, asset_value COLLATE "C")
        WHERE check_id IS NULL AND status BETWEEN 1 AND 4;
    `);
  }

  /** Forward only: a mistake is mended by the next migration. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
