import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runEachWhenFree } from './1795780100000-write-feed';

/**
 * The audit log by months of its ids. The existing table becomes the first partition, audit_logs_before, which also has everything
 * older. The last one, audit_logs_next, has everything newer, so that an entry always has a place. There is no default partition:
 * with one, PostgreSQL cannot read the newest entries from the newest partition alone. docs/adr/0090 has the reasons.
 */
export class PartitionAuditLogs1796300100000 implements MigrationInterface {
  name = 'PartitionAuditLogs1796300100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await runEachWhenFree(queryRunner, statements);
  }

  /** Forward only: the next migration fixes a mistake. */
  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** A statement trigger of the whole log does not run for a statement that names a partition, so each has its own. */
const appendOnly = (table: string): string => `
  CREATE TRIGGER tr_audit_logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION audit_logs_refuse_change()`;

const statements = [
  // Runs with the rights of its caller, who must own the log. The bounds are literals, or MINVALUE or MAXVALUE.
  `CREATE OR REPLACE FUNCTION audit_logs_add_partition(part text, lower text, upper text) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     EXECUTE format('CREATE TABLE %I PARTITION OF audit_logs FOR VALUES FROM (%s) TO (%s)', part, lower, upper);
     EXECUTE format('${appendOnly('%I')}', part);
   END $$`,

  // Adds the partitions of the next months up to the third, with the entries of these months that are in audit_logs_next. It runs as
  // the owner, because the service owns no tables, and takes no arguments, so that the service can do nothing else with it. It
  // removes nothing. Everyone who reads or changes something waits for its lock, so it gives up soon, and the next hour tries again.
  `CREATE OR REPLACE FUNCTION audit_logs_keep_partitions() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
   SET search_path = public, pg_temp SET lock_timeout = '100ms' SET timezone = 'UTC' AS $$
   DECLARE
     month  timestamptz;
     rest   timestamptz := date_trunc('month', now()) + interval '4 months';
     first  timestamptz;
   BEGIN
     PERFORM pg_advisory_xact_lock(715830426);
     SELECT audit_logs_time_of(substring(pg_get_expr(relpartbound, oid) FROM '[0-9a-f-]{36}')::uuid) INTO first
       FROM pg_class WHERE oid = 'audit_logs_next'::regclass;
     IF first >= rest THEN RETURN; END IF;
     ALTER TABLE audit_logs DETACH PARTITION audit_logs_next;
     FOR month IN SELECT generate_series(first, rest - interval '1 month', interval '1 month') LOOP
       PERFORM audit_logs_add_partition('audit_logs_' || to_char(month, 'YYYY_MM'),
         quote_literal(audit_logs_first_id(month)), quote_literal(audit_logs_first_id(month + interval '1 month')));
     END LOOP;
     SET LOCAL assay.archived = 'on';
     WITH moved AS (DELETE FROM audit_logs_next WHERE id < audit_logs_first_id(rest) RETURNING *)
       INSERT INTO audit_logs SELECT * FROM moved;
     SET LOCAL assay.archived = 'off';
     EXECUTE format('ALTER TABLE audit_logs ATTACH PARTITION audit_logs_next FOR VALUES FROM (%L) TO (MAXVALUE)',
       audit_logs_first_id(rest));
   END $$`,

  // In one transaction of milliseconds: the bound is validated, so no row is read. Statements of the version before that wait for it
  // find the new table by its name, with the same rights.
  `DO $$
   DECLARE
     bound    text;
     granted  record;
   BEGIN
     IF (SELECT relkind FROM pg_class WHERE oid = 'audit_logs'::regclass) = 'p' THEN RETURN; END IF;
     SET LOCAL lock_timeout = '100ms';
     SELECT quote_literal(substring(pg_get_constraintdef(oid) FROM '[0-9a-f-]{36}')) INTO bound
       FROM pg_constraint WHERE conrelid = 'audit_logs'::regclass AND conname = 'ck_audit_logs_bound';
     ALTER TABLE audit_logs RENAME TO audit_logs_before;
     ALTER INDEX pk_audit_logs RENAME TO pk_audit_logs_before;
     ALTER INDEX ix_audit_logs_organization RENAME TO ix_audit_logs_before_organization;
     ALTER INDEX ix_audit_logs_resource RENAME TO ix_audit_logs_before_resource;
     CREATE TABLE audit_logs (LIKE audit_logs_before INCLUDING CONSTRAINTS,
       CONSTRAINT pk_audit_logs PRIMARY KEY (id, organization_id)) PARTITION BY RANGE (id);
     CREATE INDEX ix_audit_logs_organization ON audit_logs (organization_id, id DESC);
     CREATE INDEX ix_audit_logs_resource ON audit_logs (organization_id, resource_type, resource_id, timestamp);
     ${appendOnly('audit_logs')};
     FOR granted IN
       SELECT quote_ident(pg_get_userbyid(grantee)) AS grantee, privilege_type AS privilege FROM pg_class, aclexplode(relacl)
       WHERE oid = 'audit_logs_before'::regclass AND grantee NOT IN (0, relowner)
     LOOP
       EXECUTE format('GRANT %s ON audit_logs TO %s', granted.privilege, granted.grantee);
     END LOOP;
     EXECUTE format('ALTER TABLE audit_logs ATTACH PARTITION audit_logs_before FOR VALUES FROM (MINVALUE) TO (%s)', bound);
     ALTER TABLE audit_logs DROP CONSTRAINT ck_audit_logs_bound;
     PERFORM audit_logs_add_partition('audit_logs_next', bound, 'MAXVALUE');
   END $$`,
  'SELECT audit_logs_keep_partitions()',
];
