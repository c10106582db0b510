import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only a test by the check with which a job has seen a weakness shows that it is gone. */
export class AddTemplateDigests1796800013000 implements MigrationInterface {
  name = 'AddTemplateDigests1796800013000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_findings ADD COLUMN template_digest bytea');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
