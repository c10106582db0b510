import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which addresses active jobs did not request and why, and what an admin has decided about them. */
export class ListLeftOutPages1796620000000 implements MigrationInterface {
  name = 'ListLeftOutPages1796620000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // NULL for a page that may be requested.
    await queryRunner.query(`ALTER TABLE active_pages ADD COLUMN left_out json`);
    await queryRunner.query(
      `ALTER TABLE assets ADD COLUMN allowed_paths text[] NOT NULL DEFAULT '{}',
         ADD COLUMN forbidden_paths text[] NOT NULL DEFAULT '{}'`,
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
