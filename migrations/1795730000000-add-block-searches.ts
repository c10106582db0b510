import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far the search of a block has come. block_position: how many of its addresses this round has covered. block_searched: how
 * many were searched on the day of block_searched_at.
 */
export class AddBlockSearches1795730000000 implements MigrationInterface {
  name = 'AddBlockSearches1795730000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE observed_assets
      ADD COLUMN block_position int NOT NULL DEFAULT 0, ADD COLUMN block_searched int NOT NULL DEFAULT 0,
      ADD COLUMN block_searched_at timestamptz(3), ADD COLUMN block_completed timestamptz(3)`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
