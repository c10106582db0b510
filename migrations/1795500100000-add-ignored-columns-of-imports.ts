import type { MigrationInterface, QueryRunner } from 'typeorm';

/** ignored_columns: of a table (CSV), those that nothing is read from. */
export class AddIgnoredColumnsOfImports1795500100000 implements MigrationInterface {
  name = 'AddIgnoredColumnsOfImports1795500100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE imports ADD COLUMN ignored_columns text[] NOT NULL DEFAULT '{}'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
