import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LOCK_TIMEOUT, runWhenFree } from './1795780100000-write-feed';

/** New members get mail about what is theirs. Both statements may run again after an attempt that was interrupted. */
export class PreferMail1795804050000 implements MigrationInterface {
  name = 'PreferMail1795804050000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION prefer_mail() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
      BEGIN
        INSERT INTO mail_preferences (user_id, organization_id, kinds)
        VALUES (NEW.user_id, NEW.organization_id, '{assigned,mentioned}') ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await runWhenFree(
      queryRunner,
      `CREATE OR REPLACE TRIGGER tr_memberships_prefer_mail AFTER INSERT ON memberships
       FOR EACH ROW EXECUTE FUNCTION prefer_mail()`,
    );
    await queryRunner.query('RESET lock_timeout');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
