import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';

/**
 * What the existing audit log needs to become a partition without being read under a lock: a validated upper bound of its ids. The
 * bound is at least a month ahead, because entries beyond it are refused until the next migration has run.
 */
export class BoundAuditLogs1796300000000 implements MigrationInterface {
  name = 'BoundAuditLogs1796300000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await runEachWhenFree(queryRunner, statements);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

const statements = [
  // The bounds of ids are the smallest ids of instants, because an id begins with its time in milliseconds since 1970.
  `CREATE OR REPLACE FUNCTION audit_logs_first_id(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE
   RETURN (lpad(to_hex(greatest(0, (extract(epoch FROM moment) * 1000)::bigint)), 12, '0') || repeat('0', 20))::uuid`,
  `CREATE OR REPLACE FUNCTION audit_logs_time_of(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE
   RETURN to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`,

  // A clock may have been wrong, so the bound is above all ids. An attempt that was interrupted may have left an older bound.
  `DO $$
   DECLARE
     newest  timestamptz := (SELECT audit_logs_time_of(id) FROM audit_logs ORDER BY id DESC LIMIT 1);
   BEGIN
     SET LOCAL timezone = 'UTC';
     SET LOCAL lock_timeout = '100ms';
     ALTER TABLE audit_logs DROP CONSTRAINT IF EXISTS ck_audit_logs_bound;
     EXECUTE format('ALTER TABLE audit_logs ADD CONSTRAINT ck_audit_logs_bound CHECK (id < %L) NOT VALID',
       audit_logs_first_id(date_trunc('month', greatest(newest, now()) + interval '2 months')));
   END $$`,
  'ALTER TABLE audit_logs VALIDATE CONSTRAINT ck_audit_logs_bound',
];
