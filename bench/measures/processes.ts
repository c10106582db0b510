import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, withServers } from '../bench';
import { connectTo, type DataSet } from '../data-set/bench-database';
import { type BenchRequest, generateLoad } from '../load-generator';
import { insertBacklog, insertOrganizations } from '../noop-work';
import { findingRequests, pageRequests } from '../requests';
import type { Server } from '../servers/server';
import { type Figure, median } from '../table';
import { statusRequests } from './writes';

const COUNTS = [1, 2, 4];
const ORGANIZATIONS = 200;
const BACKLOG_EACH = 500;

/** What a number of processes did in a time. */
interface Round {
  readonly perSecond: number;
  /** Processor time of the processes for each, in milliseconds. */
  readonly own: number;
  /** Processor time of PostgreSQL for each, in milliseconds. */
  readonly database: number;
  /** Of the write-ahead log, for each. */
  readonly walKb: number;
}

/** One, two and four API processes, and workers, on one database: what each costs, and how much of it is PostgreSQL. */
export async function processes(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of COUNTS) figures.push(...(await apis(bench, count)));
  for (const count of COUNTS) figures.push(...(await workers(bench, count)));
  return figures;
}

async function apis(bench: Bench, count: number): Promise<Figure[]> {
  const { dataSet, options } = bench;
  const kinds = {
    'one finding': await findingRequests(dataSet, options.connections),
    'page of 50 findings': pageRequests(dataSet, options.connections, 50),
    'status change': await statusRequests(dataSet, 8),
  };
  return withServers(several('api', count), { DATABASE_URL: dataSet.appUrl }, async (...servers) => {
    const figures: Figure[] = [];
    for (const [what, requests] of Object.entries(kinds)) {
      const run = (seconds: number): Promise<number> => loadInTurn(servers, requests, seconds);
      await run(2);
      const rounds: Round[] = [];
      for (let turn = 0; turn < options.rounds; turn++)
        rounds.push(await measured(bench, dataSet, servers, () => run(options.seconds)));
      figures.push(...figuresOf(`${what}, API processes: ${count}`, rounds));
    }
    return figures;
  });
}

/** The connections are spread over the servers. Returns the number of responses. */
async function loadInTurn(servers: readonly Server[], all: BenchRequest[][], seconds: number): Promise<number> {
  const results = await Promise.all(
    servers.map(({ url }, at) => {
      const requests = all.filter((_, connection) => connection % servers.length === at);
      return generateLoad({ url, requests, seconds, expectedStatus: 200 });
    }),
  );
  return results.reduce((sum, { responses }) => sum + responses, 0);
}

async function workers(bench: Bench, count: number): Promise<Figure[]> {
  const { database, options } = bench;
  const own = await database.emptyDatabase('bench_processes');
  const owner = await connectTo(own.ownerUrl);
  try {
    await insertOrganizations(owner, ORGANIZATIONS);
    await insertBacklog(owner, ORGANIZATIONS, BACKLOG_EACH);
    return await withServers(several('noop-worker', count), { DATABASE_URL: own.appUrl }, async (...servers) => {
      const done = async (): Promise<number> => {
        const { rows } = await owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM work WHERE state = 'done'`);
        return rows[0]?.n ?? 0;
      };
      const rounds: Round[] = [];
      for (let turn = 0; turn < options.rounds; turn++)
        rounds.push(
          await measured(bench, own, servers, async () => {
            const before = await done();
            await delay(options.seconds * 1_000);
            return (await done()) - before;
          }),
        );
      return figuresOf(`no-op work, workers: ${count}`, rounds);
    });
  } finally {
    await owner.end();
  }
}

const several = <P extends 'api' | 'noop-worker'>(program: P, count: number): P[] =>
  Array.from({ length: count }, () => program);

/** `run` returns how much was done. */
async function measured(
  { database }: Bench,
  data: Pick<DataSet, 'ownerUrl'>,
  servers: readonly Server[],
  run: () => Promise<number>,
): Promise<Round> {
  const ofServers = (): number => servers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const writtenBytes = (): Promise<number> => database.selectNumber(data, `pg_current_wal_lsn() - '0/0'::pg_lsn`);
  const written = await writtenBytes();
  const [own, ofDatabase, began] = [ofServers(), await database.cpuSeconds(data), performance.now()];
  const count = await run();
  const seconds = (performance.now() - began) / 1_000;
  return {
    perSecond: count / seconds,
    own: ((ofServers() - own) * 1_000) / count,
    database: (((await database.cpuSeconds(data)) - ofDatabase) * 1_000) / count,
    walKb: ((await writtenBytes()) - written) / 1_024 / count,
  };
}

function figuresOf(measure: string, rounds: readonly Round[]): Figure[] {
  const of = (field: keyof Round): number => median(rounds.map((round) => round[field]));
  const share = median(rounds.map(({ own, database }) => (100 * database) / (own + database)));
  return [
    { measure, what: 'a second', value: of('perSecond'), unit: '/s' },
    { measure, what: 'processor time of the processes, each', value: of('own'), unit: 'ms' },
    { measure, what: 'processor time of PostgreSQL, each', value: of('database'), unit: 'ms' },
    { measure, what: 'share of PostgreSQL', value: share, unit: '%' },
    { measure, what: 'write-ahead log, each', value: of('walKb'), unit: 'KB' },
  ];
}
