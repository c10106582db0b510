import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = { job_requests: 'created', active_pages: 'seen', active_points: 'seen' };

/** What active jobs have kept is removed by its age, of all organizations. */
export class IndexKeptActiveTests1796400200000 implements MigrationInterface {
  name = 'IndexKeptActiveTests1796400200000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(indexes)) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_${column}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ix_${table}_${column} ON ${table} (${column})`);
    }
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
