import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * feed_append() deletes the changes that it moves, and every look for changes reads the deleted rows until a vacuum removes them. While
 * a transaction runs for long in any database of the server, no vacuum can: then the table is emptied at once. It is locked for the
 * moment in which its few remaining rows are written again, and only if nobody holds it now. docs/adr/0086 has the reasons.
 */
export class CleanFeedOutbox1797000302000 implements MigrationInterface {
  name = 'CleanFeedOutbox1797000302000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Takes no arguments, so that the service cannot empty anything else. Writers and readers take their snapshots after the lock.
    await queryRunner.query(`CREATE FUNCTION feed_clean_outbox() RETURNS boolean LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '100ms' AS $$
      DECLARE
        rest   feed_outbox[];
        most   int := 1000;
      BEGIN
        IF pg_relation_size('feed_outbox') < 2000000 OR (SELECT count(*) FROM (SELECT FROM feed_outbox LIMIT most + 1) r) > most THEN
          RETURN false;
        END IF;
        LOCK TABLE feed_outbox IN ACCESS EXCLUSIVE MODE;
        rest := ARRAY(SELECT b FROM feed_outbox b LIMIT most + 1);
        IF cardinality(rest) > most THEN RETURN false; END IF;
        TRUNCATE feed_outbox;
        INSERT INTO feed_outbox SELECT (r).* FROM unnest(rest) r;
        RETURN true;
      EXCEPTION WHEN lock_not_available THEN
        RETURN false;
      END $$`);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
