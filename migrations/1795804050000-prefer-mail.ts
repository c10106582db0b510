import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';

/** New members get mail about what is theirs. Both statements may run again after an attempt that was interrupted. */
export class PreferMail1795804050000 implements MigrationInterface {
  name = 'PreferMail1795804050000';
  readonly transaction = false;

  up(queryRunner: QueryRunner): Promise<void> {
    return runEachWhenFree(queryRunner, statements);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const statements = [
  `CREATE OR REPLACE FUNCTION prefer_mail() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN
    INSERT INTO mail_preferences (user_id, organization_id, kinds)
    VALUES (NEW.user_id, NEW.organization_id, '{assigned,mentioned}') ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE TRIGGER tr_memberships_prefer_mail AFTER INSERT ON memberships
   FOR EACH ROW EXECUTE FUNCTION prefer_mail()`,
];
