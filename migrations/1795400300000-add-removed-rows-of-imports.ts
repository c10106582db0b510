import type { MigrationInterface, QueryRunner } from 'typeorm';

/** rows_removed: when the rows of an old import began to make room for newer ones. Its numbers stay. */
export class AddRemovedRowsOfImports1795400300000 implements MigrationInterface {
  name = 'AddRemovedRowsOfImports1795400300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE imports ADD COLUMN rows_removed timestamptz(3)');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
