import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many rows of an import contradict resolved findings, and how many retests they have started. */
export class CountContradictingRows1796600100000 implements MigrationInterface {
  name = 'CountContradictingRows1796600100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE imports ADD COLUMN rows_contradicting integer NOT NULL DEFAULT 0, ADD COLUMN retests_started integer NOT NULL DEFAULT 0',
    );
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
