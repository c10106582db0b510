import { Client } from 'pg';
import { reasonOf } from '../../platform/database/database-errors';

const TIMEOUT_MS = 2_000;

export interface ReplicaState {
  readonly host: string;
  readonly lag_bytes?: number;
  readonly lag_seconds?: number;
  readonly problem?: string;
}

/** How far it is behind this position of the primary. */
export async function replicaState(url: string, position: string): Promise<ReplicaState> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  client.on('error', () => undefined);
  const host = `${client.host}:${client.port}`;
  try {
    await client.connect();
    const { rows } = await client.query<{ bytes: number | null; seconds: number }>(
      `SELECT CASE WHEN pg_is_in_recovery() THEN greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::float8 END AS bytes,
         coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 AS seconds`,
      [position],
    );
    const { bytes = null, seconds = 0 } = rows[0] ?? {};
    if (bytes === null) return { host, problem: 'it is no standby' };
    // Without changes of the primary, the time of the last one says nothing.
    return { host, lag_bytes: bytes, lag_seconds: bytes === 0 ? 0 : seconds };
  } catch (error) {
    return { host, problem: reasonOf(error) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function redisState(url: string | undefined): Promise<string> {
  if (url === undefined) return 'not used';
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: unknown;
  redis.on('error', (error) => (reason = error));
  try {
    await redis.connect();
    await redis.ping();
    return 'reachable';
  } catch (error) {
    return `unreachable (${reasonOf(reason ?? error)})`;
  } finally {
    redis.disconnect();
  }
}
