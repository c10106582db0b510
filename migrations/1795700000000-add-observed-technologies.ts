import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * asset_technologies: cpe, a CPE 2.3 formatted string, and source, which response showed it; empty where nothing was stated.
 * Both tables count what changes, because observation fills them after the asset was added.
 */
export class AddObservedTechnologies1795700000000 implements MigrationInterface {
  name = 'AddObservedTechnologies1795700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE asset_technologies ADD COLUMN cpe text NOT NULL DEFAULT '',
      ADD COLUMN source text NOT NULL DEFAULT ''`);
    for (const [table, operation, transition] of TRIGGERS) {
      await queryRunner.query(`CREATE TRIGGER tr_${table}_stored_${operation.toLowerCase()} AFTER ${operation} ON ${table}
        REFERENCING ${transition} FOR EACH STATEMENT EXECUTE FUNCTION stored_rows_count()`);
    }
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const TRIGGERS = [
  ['asset_technologies', 'INSERT', 'NEW TABLE AS added'],
  ['asset_technologies', 'DELETE', 'OLD TABLE AS removed'],
  ['asset_technologies', 'UPDATE', 'OLD TABLE AS removed NEW TABLE AS added'],
  ['assets', 'UPDATE', 'OLD TABLE AS removed NEW TABLE AS added'],
] as const;
