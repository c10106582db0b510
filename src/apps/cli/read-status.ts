import type { Client } from 'pg';
import { AUDIT_MONTHS_AHEAD, FEED_BACKLOG, NEAR_LIMIT } from '../../platform/database/installation-queries';

export interface ReadStatus {
  /** By the names of their connections, see `applicationName`. */
  readonly processes: readonly {
    readonly program: string;
    readonly version: string;
    readonly host: string;
    readonly connections: number;
  }[];
  /** The names of the migrations that ran. */
  readonly ran: readonly string[];
  readonly position: string;
  readonly clock_difference_seconds: number;
  readonly work: readonly {
    readonly kind: string;
    readonly waiting: number;
    readonly running: number;
    readonly failed: number;
    readonly oldest_seconds: number;
  }[];
  readonly feed_backlog: { readonly changes: number; readonly oldest_seconds: number };
  readonly organizations: number;
  readonly suspended: number;
  readonly near_limit: number;
  readonly audit_months_ahead: number;
  readonly wal_archive: { readonly last: Date | null; readonly is_failing: boolean };
}

/** The statements are short, and each reads an index or few rows. */
export async function readStatus(client: Client): Promise<ReadStatus> {
  const rows = async <T extends object>(text: string): Promise<T[]> => (await client.query<T>(text)).rows;
  const row = async <T extends object>(text: string): Promise<T> => {
    const [first] = await rows<T>(text);
    if (first === undefined) throw new Error('The database has no answer');
    return first;
  };
  const before = Date.now();
  const { now, position } = await row<{ now: number; position: string }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, pg_current_wal_insert_lsn()::text AS position',
  );
  const difference = (before + Date.now()) / 2 - now;
  const ran = await rows<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  return {
    ran: ran.map(({ name }) => name),
    position,
    clock_difference_seconds: difference / 1_000,
    processes: await rows(`
      SELECT name[1] AS program, name[2] AS version, name[3] AS host, count(*)::int AS connections FROM pg_stat_activity
      CROSS JOIN regexp_match(application_name, '^assay (api|worker) (\\S+) (.+)$') AS name
      WHERE datname = current_database() AND name IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`),
    work: await rows(`
      SELECT w.kind, count(*) FILTER (WHERE w.state = 'waiting')::int AS waiting,
        count(*) FILTER (WHERE w.state = 'running')::int AS running, count(*) FILTER (WHERE w.state = 'failed')::int AS failed,
        coalesce(extract(epoch FROM now() - min(w.run_at) FILTER (
          WHERE w.state = 'waiting' AND w.run_at <= now() AND o.suspended_at IS NULL)), 0)::float8 AS oldest_seconds
      FROM work w LEFT JOIN organizations o ON o.id = w.organization_id
      WHERE w.state IN ('waiting', 'running') OR (w.state = 'failed' AND w.finished > now() - interval '1 day')
      GROUP BY 1 ORDER BY 1`),
    feed_backlog: await row(FEED_BACKLOG),
    ...(await row<Pick<ReadStatus, 'organizations' | 'suspended'>>(`
      SELECT count(*)::int AS organizations, count(suspended_at)::int AS suspended FROM organizations WHERE deleted_at IS NULL`)),
    ...(await row<Pick<ReadStatus, 'near_limit'>>(NEAR_LIMIT)),
    ...(await row<Pick<ReadStatus, 'audit_months_ahead'>>(AUDIT_MONTHS_AHEAD)),
    wal_archive: await row(`
      SELECT last_archived_time AS last, coalesce(last_failed_time > last_archived_time OR
        (last_archived_time IS NULL AND last_failed_time IS NOT NULL), false) AS is_failing FROM pg_stat_archiver`),
  };
}
