import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What undoing an import changes is done by the person who undoes it, not by the one who uploaded it. */
export class AddUndoersOfImports1796800024000 implements MigrationInterface {
  name = 'AddUndoersOfImports1796800024000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE imports ADD COLUMN undone_by_type text, ADD COLUMN undone_by_id text');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
