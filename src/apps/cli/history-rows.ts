import type { Client } from 'pg';
import { DAY_MS } from '../../kernel/durations';
import { invalid } from '../../kernel/domain-error';
import { minUuidV7 } from '../../kernel/uuid-v7';
import type { ArchivedRow } from './archive-file';

/** Rows that one statement reads or deletes: a few milliseconds, and each deletion is a transaction of its own. */
export const PIECE = 500;
const USUAL_DAYS = 365;

export interface Age {
  readonly olderThanDays: number;
  readonly allowRecent?: boolean;
}

/** When the rows of an organization expire. An organization may have its own number of days. */
export interface Retention {
  readonly now: Date;
  readonly days: number;
  /** Rows that expire are older, of whichever organization. */
  readonly before: Date;
}

export async function retentionOf(owner: Client, { olderThanDays, allowRecent = false }: Age): Promise<Retention> {
  if (!Number.isInteger(olderThanDays) || olderThanDays < 1)
    throw invalid('--older-than must be a number of days, at least 1.');
  if (olderThanDays < USUAL_DAYS && !allowRecent)
    throw invalid(`--older-than ${olderThanDays} is less than a year. Add --allow-recent if that is intended.`);
  const { rows } = await owner.query<{ shortest: number | null }>(
    'SELECT min(days) AS shortest FROM history_retentions',
  );
  const now = new Date();
  const shortest = Math.min(olderThanDays, rows[0]?.shortest ?? olderThanDays);
  return { now, days: olderThanDays, before: new Date(now.getTime() - shortest * DAY_MS) };
}

/** The values that `expires` needs as $1 and $2. */
export const valuesOf = ({ now, days }: Retention): [Date, number] => [now, days];

/** The instant before which rows of the organization in `r` expire. */
const expires = `($1::timestamptz - coalesce(r.days, $2) * interval '24 hours')`;
const ofOrganization = (row: string): string =>
  `LEFT JOIN history_retentions r ON r.organization_id = ${row}.organization_id`;

/** Whether a partition of the audit log has no row that is kept. The first kept id is computed once, and not for millions of rows. */
export const hasNoKeptRow = (partition: string): string => `
  WITH usual AS MATERIALIZED (SELECT audit_logs_first_id($1::timestamptz - $2::int * interval '24 hours') AS id),
    own AS MATERIALIZED (
      SELECT organization_id, audit_logs_first_id($1::timestamptz - days * interval '24 hours') AS id FROM history_retentions)
  SELECT NOT EXISTS (
    SELECT 1 FROM ${partition} l LEFT JOIN own USING (organization_id)
    WHERE l.id >= coalesce(own.id, (SELECT id FROM usual))) AS "mayDrop"`;

interface HistoryRow {
  readonly id: string;
  readonly organization_id: number;
  readonly partition: string;
  readonly is_recent: boolean;
  /** Null if the row is kept. */
  readonly line: string | null;
}

export type ExpiredRow = HistoryRow & { readonly line: string };

/** After the row of $3 and $4, before the time $5. */
const STATEMENTS: Readonly<Record<ArchivedRow['table'], string>> = {
  // An id of an audit entry begins with its time. `ORDER BY id` would be the order of the texts, without the index.
  audit_logs: `
    SELECT l.id::text, l.organization_id, l.tableoid::regclass::text AS partition, false AS is_recent,
      CASE WHEN l.id < audit_logs_first_id${expires} THEN row_to_json(l)::text END AS line
    FROM audit_logs l ${ofOrganization('l')}
    WHERE (l.id, l.organization_id) > ($3::uuid, $4) AND l.id >= $3::uuid AND l.id < audit_logs_first_id($5)
    ORDER BY l.id, l.organization_id LIMIT ${PIECE}`,
  // The last change of a finding's status, and comments and edits after it, are kept: verdicts and the portal need them.
  finding_history: `
    SELECT h.id::text, h.organization_id, h.tableoid::regclass::text AS partition, h.created >= $5 AS is_recent,
      CASE WHEN h.created < ${expires} AND EXISTS (
        SELECT 1 FROM finding_history n WHERE n.finding_id = h.finding_id AND n.id > h.id AND NOT n.is_comment AND n.changes IS NULL)
      THEN row_to_json(h)::text END AS line
    FROM finding_history h ${ofOrganization('h')}
    WHERE (h.id, h.organization_id) > ($3::bigint, $4) ORDER BY h.id, h.organization_id LIMIT ${PIECE}`,
};

/** In pieces, oldest first. */
export async function* expiredRows(
  owner: Client,
  table: ArchivedRow['table'],
  retention: Retention,
): AsyncGenerator<readonly ExpiredRow[]> {
  let last: Pick<HistoryRow, 'id' | 'organization_id'> = {
    id: table === 'audit_logs' ? minUuidV7(0) : '0',
    organization_id: 0,
  };
  for (;;) {
    const { rows } = await owner.query<HistoryRow>(STATEMENTS[table], [
      ...valuesOf(retention),
      last.id,
      last.organization_id,
      retention.before,
    ]);
    yield rows.filter((row): row is ExpiredRow => row.line !== null);
    if (rows.length < PIECE || rows.every((row) => row.is_recent)) return;
    last = rows.at(-1) ?? last;
  }
}

const DELETIONS = {
  audit_logs: `
    DELETE FROM audit_logs WHERE (id, organization_id) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))
      AND id BETWEEN $3::uuid AND $4::uuid`,
  finding_history: `
    DELETE FROM finding_history WHERE (id, organization_id) IN (SELECT * FROM unnest($1::bigint[], $2::int[]))
      AND id BETWEEN $3::bigint AND $4::bigint`,
} as const;

/** Deletes a piece, whose rows are in the order of their ids. */
export async function deletePiece(
  owner: Client,
  table: ArchivedRow['table'],
  rows: readonly ArchivedRow['row'][],
): Promise<number> {
  await owner.query('BEGIN');
  await owner.query(`SET LOCAL assay.archived = 'on'`);
  const { rowCount } = await owner.query(DELETIONS[table], [
    rows.map(({ id }) => id),
    rows.map((row) => row.organization_id),
    rows[0]?.id,
    rows.at(-1)?.id,
  ]);
  await owner.query('COMMIT');
  return rowCount ?? 0;
}

/** The heads and hashes of the entries of an organization and month, as lines of an archive. */
export async function* proofLines(owner: Client, organizationId: number, month: string): AsyncGenerator<string> {
  for (const table of ['audit_heads', 'audit_leaves'] as const) {
    const { rows } = await owner.query<{ line: string }>(
      `SELECT row_to_json(t)::text AS line FROM ${table} t WHERE organization_id = $1 AND month = $2 ORDER BY size`,
      [organizationId, month],
    );
    for (const { line } of rows) yield `{"table":"${table}","row":${line}}\n`;
  }
}

/** Of months without entries only the last head stays. */
export async function removeUnusedProofs(owner: Client, before: Date): Promise<void> {
  const unused = `WITH months AS MATERIALIZED (
      SELECT DISTINCT organization_id, month FROM audit_heads WHERE month < to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM')),
    unused AS MATERIALIZED (
      SELECT * FROM months m WHERE NOT EXISTS (SELECT 1 FROM audit_logs l WHERE l.organization_id = m.organization_id
        AND l.id >= audit_logs_first_id(to_date(m.month, 'YYYY-MM')::timestamp AT TIME ZONE 'UTC')
        AND l.id < audit_logs_first_id((to_date(m.month, 'YYYY-MM') + interval '1 month') AT TIME ZONE 'UTC')))`;
  const isUnused = 'u.organization_id = t.organization_id AND u.month = t.month';
  await owner.query(`${unused} DELETE FROM audit_leaves t USING unused u WHERE ${isUnused}`, [before]);
  await owner.query(
    `${unused} DELETE FROM audit_heads t USING unused u WHERE ${isUnused} AND EXISTS (SELECT 1 FROM audit_heads n
       WHERE n.organization_id = t.organization_id AND n.month = t.month AND n.size > t.size)`,
    [before],
  );
}
