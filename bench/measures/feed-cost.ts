import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { Bench } from '../bench';
import { connectTo } from '../data-set/bench-database';
import { goalOf } from '../goals';
import type { Server } from '../servers/server';
import { type Figure, median } from '../table';

/** Short rounds, many of them: the load of the machine changes within seconds. */
const PAIRS = 5;
const TABLES = ['findings', 'finding_history', 'event_findings'];

/** Of the connections of PostgreSQL, in nanoseconds, which the usual figures of Linux do not have. */
function postgresSeconds(parent: string): number {
  let nanoseconds = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (parentOf(pid) === parent) nanoseconds += Number(read(pid, 'schedstat').split(' ')[0]);
  return nanoseconds / 1e9;
}

const parentOf = (pid: string): string => read(pid, 'stat').split(') ').at(-1)?.split(' ')[1] ?? '';

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

/** Processor seconds are for each change. */
interface Round {
  readonly perSecond: number;
  readonly cpu: number;
  readonly database: number;
  readonly appended: number;
}

async function setFeed(owner: Client, isOn: boolean): Promise<void> {
  const { rows } = await owner.query<{ table: string; name: string }>(
    `SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger
     WHERE tgname LIKE '%feed%' AND tgrelid = ANY($1::regclass[]::oid[])`,
    [TABLES],
  );
  for (const { table, name } of rows)
    await owner.query(`ALTER TABLE ${table} ${isOn ? 'ENABLE' : 'DISABLE'} TRIGGER ${name}`);
}

/**
 * What the feed adds to a change of a status: rounds with and without its triggers, in turn. Processor time is that of the API and
 * of PostgreSQL for each change. The positions are given between the rounds, as a worker does it; they are measured apart.
 */
export async function feedCost(
  { dataSet, options }: Bench,
  { server, changes }: { readonly server: Server; changes(): Promise<number> },
): Promise<Figure[]> {
  const owner = await connectTo(dataSet.ownerUrl);
  const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const parent = parentOf(String(rows[0]?.pid));
  const round = async (isOn: boolean): Promise<Round> => {
    await setFeed(owner, isOn);
    await owner.query('TRUNCATE feed_outbox');
    const api = server.cpuSeconds;
    const database = postgresSeconds(parent);
    const started = performance.now();
    const count = await changes();
    const seconds = (performance.now() - started) / 1_000;
    const changed = postgresSeconds(parent);
    const cpu = (server.cpuSeconds - api + changed - database) / count;
    for (let rest = 1; rest > 0;) {
      await owner.query(
        'SELECT feed_append(o.organization_id) FROM (SELECT DISTINCT organization_id FROM feed_outbox) o',
      );
      const left = await owner.query<{ rest: string }>('SELECT count(*) AS rest FROM feed_outbox');
      rest = Number(left.rows[0]?.rest);
    }
    return {
      perSecond: count / seconds,
      cpu,
      database: (changed - database) / count,
      appended: (postgresSeconds(parent) - changed) / count,
    };
  };
  const pairs = [];
  try {
    for (let pair = 0; pair < PAIRS * options.rounds; pair++) {
      const first = await round(pair % 2 === 0);
      const second = await round(pair % 2 !== 0);
      pairs.push(pair % 2 === 0 ? { on: first, off: second } : { on: second, off: first });
    }
  } finally {
    await setFeed(owner, true);
    await owner.end();
  }
  const figure = (what: string, values: number[], unit = ''): Figure => ({
    measure: 'status changes',
    what,
    value: median(values),
    unit,
  });
  return [
    {
      ...figure(
        'with the feed, for each processor second, relative to without',
        pairs.map(({ on, off }) => off.cpu / on.cpu),
      ),
      goal: goalOf('status changes with the feed'),
    },
    figure(
      'with the feed, per second, relative to without',
      pairs.map(({ on, off }) => on.perSecond / off.perSecond),
    ),
    figure(
      'PostgreSQL alone, for each processor second, relative to without the feed',
      pairs.map(({ on, off }) => off.database / on.database),
    ),
    figure(
      'processor time without the feed',
      pairs.map(({ off }) => off.cpu * 1_000),
      'ms',
    ),
    figure(
      'processor time of a position in the feed',
      pairs.map(({ on }) => on.appended * 1_000),
      'ms',
    ),
  ];
}
