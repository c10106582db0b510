import { Client, type ClientBase } from 'pg';
import { hostUrls } from '../config/postgres-hosts';
import { NotPrimaryError } from './database-client';
import { reasonOf } from './database-errors';

/** A server that does not answer must not delay the others for long. */
const TIMEOUT_MS = 1_000;

interface Answer {
  readonly url: string;
  /** For the log. */
  readonly text: string;
  /** Of a server that accepts changes. Each promotion begins one with a greater number. */
  readonly timeline?: number;
}

export type Primary = Required<Answer>;

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
 * The server on the newest timeline, of those that accept changes and `known`: after a promotion, the former primary may go on,
 * or come back as it was. Throws `NotPrimaryError`.
 */
export async function findPrimary(urls: readonly string[], known?: Primary): Promise<Primary> {
  const answers = await Promise.all(urls.map(ask));
  const newest = Math.max(known?.timeline ?? 0, ...answers.map(({ timeline = 0 }) => timeline));
  const primaries = answers.filter(({ timeline }) => timeline === newest);
  const primary = primaries.find(({ url }) => url === known?.url) ?? primaries[0];
  if (primary !== undefined) return { ...primary, timeline: newest };
  throw new NotPrimaryError(`None of the servers is the primary: ${answers.map(({ text }) => text).join('; ')}`);
}

/** The URL of the primary, for one connection. A single server is not asked. */
export async function primaryUrl(text: string): Promise<string> {
  const urls = hostUrls(text);
  return urls.length === 1 ? text : (await findPrimary(urls)).url;
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
    if (timeline === undefined) return { url, text: `${host} is a standby, or read-only` };
    return { url, text: `${host} accepts changes on timeline ${timeline}`, timeline };
  } catch (error) {
    return { url, text: `${host} cannot be asked (${reasonOf(error)})` };
  } finally {
    void client.end().catch(() => undefined);
  }
}
