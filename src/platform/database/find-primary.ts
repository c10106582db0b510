import { Client, type ClientBase } from 'pg';
import { hostUrls } from '../config/postgres-hosts';
import { NotPrimaryError } from './database-client';
import { reasonOf } from './database-errors';

/** A server that is away must not delay the others for long. */
const TIMEOUT_MS = 1_000;

/** The server that accepts changes. Each promotion begins a new timeline, with a greater number. */
export interface Primary {
  readonly url: string;
  /** For the log. */
  readonly host: string;
  readonly timeline: number;
}

interface Answer extends Omit<Primary, 'timeline'> {
  readonly timeline?: number;
  readonly text: string;
}

/** The timeline of a server that accepts changes; undefined if it is a standby or read-only. */
export async function timelineOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ timeline: string | null }>(
    `SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'
       THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`,
  );
  const timeline = rows[0]?.timeline ?? null;
  return timeline === null ? undefined : Number.parseInt(timeline, 16);
}

/**
 * The primary among the servers: after a promotion, the former one may still accept changes, or do so again, and nobody must
 * make them. So all are asked, and the newest timeline counts, also if `known` has it. Throws `NotPrimaryError`.
 */
export async function findPrimary(urls: readonly string[], known?: Primary): Promise<Primary> {
  const answers = await Promise.all(urls.map(ask));
  const newest = Math.max(known?.timeline ?? 0, ...answers.map(({ timeline = 0 }) => timeline));
  const primaries = answers.filter(({ timeline }) => timeline === newest);
  const primary = primaries.find(({ url }) => url === known?.url) ?? primaries[0];
  if (primary !== undefined) return { url: primary.url, host: primary.host, timeline: newest };
  const texts = answers.map(({ host, text }) => `${host}: ${text}`);
  throw new NotPrimaryError(`None of the servers is the primary (${texts.join('; ')})`);
}

/** The URL of the primary, for one connection. A single server is not asked. */
export async function primaryUrl(text: string): Promise<string> {
  const [first = text, ...others] = hostUrls(text);
  return others.length === 0 ? first : (await findPrimary([first, ...others])).url;
}

async function ask(url: string): Promise<Answer> {
  const client = new Client({
    connectionString: url,
    application_name: 'assay search for the primary',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  const host = `${client.host}:${client.port}`;
  try {
    await client.connect();
    const timeline = await timelineOf(client);
    if (timeline === undefined) return { url, host, text: 'a standby, or read-only' };
    return { url, host, timeline, text: `a former primary, of timeline ${timeline}` };
  } catch (error) {
    return { url, host, text: reasonOf(error) };
  } finally {
    void client.end().catch(() => undefined);
  }
}
