import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Jobs run once as nobody, and once as each account that their launch names. accounts: those, with their names. lanes: how each
 * run ended. account_id: as whom a page, a point or a finding was seen first; null for nobody.
 */
export class AddLanes1796900001000 implements MigrationInterface {
  name = 'AddLanes1796900001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs ADD COLUMN accounts json, ADD COLUMN lanes json');
    await queryRunner.query('ALTER TABLE active_pages ADD COLUMN account_id int');
    await queryRunner.query('ALTER TABLE active_points ADD COLUMN account_id int');
    await queryRunner.query('ALTER TABLE job_findings ADD COLUMN account_id int');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
