import type { MigrationInterface, QueryRunner } from 'typeorm';

/** asset_accounts.sealed_steps: a sign-in of an uploaded HAR, encrypted until an admin saves it. */
export class AddRecordedSignIns1798300002000 implements MigrationInterface {
  name = 'AddRecordedSignIns1798300002000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE asset_accounts ADD COLUMN sealed_steps bytea`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
