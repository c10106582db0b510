import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a plan and a schedule need to stop at the end of a window and to continue in the next. */
export class ContinueTestsInWindows1795801000000 implements MigrationInterface {
  name = 'ContinueTestsInWindows1795801000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // retests: those that the plan has started, with their findings. scope_version and terms: what the targets were planned for.
    await queryRunner.query(
      `ALTER TABLE event_plans ADD COLUMN retests jsonb NOT NULL DEFAULT '[]', ADD COLUMN scope_version text, ADD COLUMN terms text`,
    );
    // Until when it may send something.
    await queryRunner.query(`ALTER TABLE jobs ADD COLUMN until timestamptz(3)`);
    // Those that a window has stopped; null for all.
    await queryRunner.query(`ALTER TABLE schedule_run_parts ADD COLUMN checks_left text[]`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
