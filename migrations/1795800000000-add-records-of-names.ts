import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the DNS has of a name: all of its addresses, and its chain of aliases. */
export class AddRecordsOfNames1795800000000 implements MigrationInterface {
  name = 'AddRecordsOfNames1795800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE observed_assets
      ADD COLUMN records text[] NOT NULL DEFAULT '{}', ADD COLUMN aliases text[] NOT NULL DEFAULT '{}'`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
