import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  // name: the label that this installation made. It belongs to the experiment that sent it, which only its worker knows.
  `CREATE TABLE callbacks (
     name      text NOT NULL,
     number    smallint NOT NULL,
     protocol  text NOT NULL,
     source    inet NOT NULL,
     called    timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT pk_callbacks PRIMARY KEY (name, number),
     CONSTRAINT ck_callbacks_name CHECK (length(name) = 42),
     CONSTRAINT ck_callbacks_number CHECK (number BETWEEN 1 AND 20),
     CONSTRAINT ck_callbacks_protocol CHECK (protocol IN ('dns', 'http', 'https'))
   )`,
  'CREATE INDEX ix_callbacks_called ON callbacks (called)',

  // A schema of its own: the role of the listener may use it, and not the one of the tables.
  'CREATE SCHEMA listener',
  `CREATE FUNCTION listener.record_callback(called_name text, by_protocol text, from_source inet) RETURNS boolean
   LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
   DECLARE
     taken int;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtextextended(called_name, 57));
     SELECT count(*) INTO taken FROM callbacks WHERE name = called_name;
     IF taken >= 20 THEN
       RETURN false;
     END IF;
     INSERT INTO callbacks (name, number, protocol, source) VALUES (called_name, taken + 1, by_protocol, from_source);
     RETURN true;
   END $$`,
];

/** What calls the listener of callbacks: the function adds a row, and keeps the limit of 20 rows a name. */
export class AddCallbacks1798500000000 implements MigrationInterface {
  name = 'AddCallbacks1798500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}
