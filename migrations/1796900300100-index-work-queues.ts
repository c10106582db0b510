import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `ix_work_queue` stays for the workers of 0.2.0, which run until an upgrade is complete. */
const STATEMENTS = [
  'DROP INDEX CONCURRENTLY IF EXISTS ix_work_turns',
  // The queues of a kind in order, in each the organizations in order, and of each the first piece.
  `CREATE INDEX CONCURRENTLY ix_work_turns ON work (kind, queue, coalesce(organization_id, 0), run_at, id)
     WHERE state = 'waiting'`,
  'DROP INDEX CONCURRENTLY IF EXISTS ix_work_unplaced',
  `CREATE INDEX CONCURRENTLY ix_work_unplaced ON work (run_at) WHERE state = 'waiting' AND queue IS NULL`,
];

export class IndexWorkQueues1796900300100 implements MigrationInterface {
  name = 'IndexWorkQueues1796900300100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
