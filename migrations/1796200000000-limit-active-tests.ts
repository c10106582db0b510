import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';

const TABLES = ['active_pages', 'active_points'];

const triggers = (table: string): string[] => [
  `CREATE OR REPLACE TRIGGER tr_${table}_stored_insert AFTER INSERT ON ${table}
   REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count('limited')`,
  `CREATE OR REPLACE TRIGGER tr_${table}_stored_delete AFTER DELETE ON ${table}
   REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count()`,
];

/** No released version has filled them, so that there is nothing to count yet. */
export class LimitActiveTests1796200000000 implements MigrationInterface {
  name = 'LimitActiveTests1796200000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO stored_limits (name, most) VALUES ('active_pages', 500000), ('active_points', 500000) ON CONFLICT DO NOTHING`,
    );
    await runEachWhenFree(queryRunner, TABLES.flatMap(triggers));
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
