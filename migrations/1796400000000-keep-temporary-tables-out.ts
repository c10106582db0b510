import type { MigrationInterface, QueryRunner } from 'typeorm';

const functions = ['stored_rows_check(int, text)', 'stored_rows_count()', 'asset_changes_keep_partitions()'];

/** Functions that run as the owner never take a temporary table of their caller, whose triggers would run as the owner too. */
export class KeepTemporaryTablesOut1796400000000 implements MigrationInterface {
  name = 'KeepTemporaryTablesOut1796400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const name of functions) await queryRunner.query(`ALTER FUNCTION ${name} SET search_path = public, pg_temp`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
