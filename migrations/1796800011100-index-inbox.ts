import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  'ALTER TABLE mail_preferences VALIDATE CONSTRAINT ck_mail_preferences_kinds',
  'DROP INDEX CONCURRENTLY IF EXISTS ix_personal_notices_inbox',
  'CREATE INDEX CONCURRENTLY ix_personal_notices_inbox ON personal_notices (organization_id, user_id, id) INCLUDE (read)',
];

export class IndexInbox1796800011100 implements MigrationInterface {
  name = 'IndexInbox1796800011100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
