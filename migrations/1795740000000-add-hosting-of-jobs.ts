import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who runs the host of a job, where that limits the job to passive checks. */
export class AddHostingOfJobs1795740000000 implements MigrationInterface {
  name = 'AddHostingOfJobs1795740000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs ADD COLUMN hosted_by text, ADD COLUMN hosted_target text');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
