import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Not references: a launch names what was deleted.
  'ALTER TABLE schedules ADD COLUMN accounts int[]',
  'ALTER TABLE events ADD COLUMN accounts int[], ADD COLUMN accounts_role text',
  'ALTER TABLE asset_accounts ADD COLUMN expires date',
  'ALTER TABLE mail_preferences DROP CONSTRAINT ck_mail_preferences_kinds',
  `ALTER TABLE mail_preferences ADD CONSTRAINT ck_mail_preferences_kinds
     CHECK (kinds <@ '{assigned,mentioned,verdict,gate,due_soon,done,account}') NOT VALID`,
];

/** accounts: as which the jobs of a schedule or an event run, too. expires: the last day of a cookie or header. */
export class AddPlannedAccounts1797000100000 implements MigrationInterface {
  name = 'AddPlannedAccounts1797000100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
