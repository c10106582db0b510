import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No released version has these tables. They have rows where an unreleased one has run. */
export class LimitTextsOfTrackers1797000410000 implements MigrationInterface {
  name = 'LimitTextsOfTrackers1797000410000';
  readonly contract = { expandedBy: 'AddTrackers1797000400000', unusedSince: '0.2.0' };

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DO $$ BEGIN
      UPDATE tickets SET url = NULL WHERE length(url) > 2200;
      UPDATE tickets SET key = left(key, 100), error = left(error, 1000) WHERE length(key) > 100 OR length(error) > 1000;
      UPDATE trackers SET account = left(account, 200), last_error = left(last_error, 1000)
      WHERE length(account) > 200 OR length(last_error) > 1000;
      UPDATE trackers SET fields = '[]', tested = NULL WHERE octet_length(fields::text) > 60000;
    END $$`);
    await queryRunner.query(`ALTER TABLE tickets ADD CONSTRAINT ck_tickets_texts
      CHECK (length(url) <= 2200 AND length(key) <= 100 AND length(error) <= 1000) NOT VALID`);
    await queryRunner.query('ALTER TABLE tickets VALIDATE CONSTRAINT ck_tickets_texts');
    await queryRunner.query(`ALTER TABLE trackers ADD CONSTRAINT ck_trackers_texts
      CHECK (length(account) <= 200 AND length(last_error) <= 1000 AND octet_length(fields::text) <= 60000) NOT VALID`);
    await queryRunner.query('ALTER TABLE trackers VALIDATE CONSTRAINT ck_trackers_texts');
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
