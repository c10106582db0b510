import type { Client } from 'pg';

/** Ends the first partition of the audit log at the first of these months, and adds one for each of them. The last has the rest. */
export async function addPastMonths(owner: Client, months: readonly string[]): Promise<void> {
  const { rows } = await owner.query<{ end: string }>(
    `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\((''[0-9a-f-]{36}'')') AS end FROM pg_class
     WHERE oid = 'audit_logs_before'::regclass`,
  );
  const starts = months.map((month) => `${month}-01Z`);
  await owner.query('BEGIN');
  await owner.query('ALTER TABLE audit_logs DETACH PARTITION audit_logs_before');
  for (const [at, month] of months.entries())
    await owner.query(
      `SELECT audit_logs_add_partition($1, quote_literal(audit_logs_first_id($2)),
         CASE WHEN $3::timestamptz IS NULL THEN $4 ELSE quote_literal(audit_logs_first_id($3)) END)`,
      [`audit_logs_${month.replace('-', '_')}`, starts[at], starts[at + 1] ?? null, rows[0]?.end],
    );
  await owner.query(`SET LOCAL assay.archived = 'on'`);
  await owner.query(
    `WITH moved AS (DELETE FROM audit_logs_before WHERE id >= audit_logs_first_id($1) RETURNING *)
     INSERT INTO audit_logs SELECT * FROM moved`,
    [starts[0]],
  );
  await owner.query(
    `DO $$ BEGIN
       EXECUTE format('ALTER TABLE audit_logs ATTACH PARTITION audit_logs_before FOR VALUES FROM (MINVALUE) TO (%L)',
         audit_logs_first_id('${starts[0]}'));
     END $$`,
  );
  await owner.query('COMMIT');
}
