import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Not references, because users may be deleted.
  'ALTER TABLE jobs ADD COLUMN started_by int',
  'ALTER TABLE events ADD COLUMN started_by int',
  // What is there before, and what the version before adds meanwhile, is read.
  'ALTER TABLE personal_notices ADD COLUMN read timestamptz(3) DEFAULT now()',
  'ALTER TABLE mail_preferences DROP CONSTRAINT ck_mail_preferences_kinds',
  `ALTER TABLE mail_preferences ADD CONSTRAINT ck_mail_preferences_kinds
     CHECK (kinds <@ '{assigned,mentioned,verdict,gate,due_soon,done}') NOT VALID`,
];

/** What concerns a member is kept for the inbox, also if no mail tells it. */
export class AddInbox1796800011000 implements MigrationInterface {
  name = 'AddInbox1796800011000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
