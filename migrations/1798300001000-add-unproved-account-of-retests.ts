import type { MigrationInterface, QueryRunner } from 'typeorm';

/** retests.unproved: the account whose session a retest could not prove, for the notices of admins. */
export class AddUnprovedAccountOfRetests1798300001000 implements MigrationInterface {
  name = 'AddUnprovedAccountOfRetests1798300001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE retests ADD COLUMN unproved int`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
