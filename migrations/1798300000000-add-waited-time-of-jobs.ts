import type { MigrationInterface, QueryRunner } from 'typeorm';

/** jobs.waited_ms: how long a job has waited for its turns of accounts, which its time limit does not count. */
export class AddWaitedTimeOfJobs1798300000000 implements MigrationInterface {
  name = 'AddWaitedTimeOfJobs1798300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE jobs ADD COLUMN waited_ms int NOT NULL DEFAULT 0`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
