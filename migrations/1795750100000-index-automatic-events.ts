import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The events that work by themselves, of all organizations, and the unfinished work of an event. */
export class IndexAutomaticEvents1795750100000 implements MigrationInterface {
  name = 'IndexAutomaticEvents1795750100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_events_automatic');
    await queryRunner.query(
      'CREATE INDEX CONCURRENTLY ix_events_automatic ON events (id) WHERE automatic OR report_at_end',
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS ix_work_event_unfinished');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY ix_work_event_unfinished ON work (event_id)
       WHERE event_id IS NOT NULL AND state IN ('waiting', 'running')`,
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
