import { type Bench, withServers } from '../bench';
import { findingRequests, pageRequests } from '../requests';
import { type BenchRequest, generateLoad } from '../load-generator';
import type { Server } from '../servers/server';
import { type Figure, median } from '../table';

const perPage = 50;

interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

/** The raw server stays honest: what it answers is what the service answers. */
async function expectSameResponses(servers: readonly Server[], requests: readonly BenchRequest[]): Promise<void> {
  for (const { path, authorization } of requests) {
    const [one, other] = await Promise.all(
      servers.map(async ({ url }) => {
        const response = await fetch(url + path, { headers: { authorization } });
        return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
      }),
    );
    if (one !== other) throw new Error(`The two servers answer ${path} differently:\n${one}\n${other}`);
  }
}

async function round(server: Server, requests: BenchRequest[][], seconds: number): Promise<Round> {
  const before = server.cpuSeconds;
  const {
    perSecond,
    p50,
    p99,
    responses: answers,
  } = await generateLoad({ url: server.url, requests: requests, seconds, expectedStatus: 200 });
  return { perSecond, p50, p99, cpuMs: ((server.cpuSeconds - before) * 1_000) / answers };
}

async function compare(
  what: string,
  goal: number,
  [raw, api]: [Server, Server],
  requests: BenchRequest[][],
  { options }: Bench,
): Promise<Figure[]> {
  await expectSameResponses([raw, api], requests[0]?.slice(0, 50) ?? []);
  const rounds: { raw: Round; api: Round }[] = [];
  for (const server of [raw, api]) await round(server, requests, 2);
  for (let turn = 0; turn < options.rounds; turn++) {
    rounds.push({ raw: await round(raw, requests, options.seconds), api: await round(api, requests, options.seconds) });
  }
  const of = (server: 'raw' | 'api', field: keyof Round): number => median(rounds.map((both) => both[server][field]));
  const figure = (label: string, value: number, unit: string, atLeast?: number): Figure => ({
    measure: what,
    what: label,
    value,
    unit,
    ...(atLeast === undefined ? {} : { goal: { atLeast } }),
  });
  return [
    figure('of raw', median(rounds.map((both) => both.api.perSecond / both.raw.perSecond)), '', goal),
    figure('raw, requests a second', of('raw', 'perSecond'), '/s'),
    figure('service, requests a second', of('api', 'perSecond'), '/s'),
    figure('raw, p50', of('raw', 'p50'), 'ms'),
    figure('service, p50', of('api', 'p50'), 'ms'),
    figure('raw, p99', of('raw', 'p99'), 'ms'),
    figure('service, p99', of('api', 'p99'), 'ms'),
    figure('raw, processor a request', of('raw', 'cpuMs'), 'ms'),
    figure('service, processor a request', of('api', 'cpuMs'), 'ms'),
  ];
}

/** What is asked for most, against the limit of the runtime, in turns and over the same keys. */
export async function reads(bench: Bench): Promise<Figure[]> {
  const { dataSet, options } = bench;
  return withServers(['raw', 'api'], { DATABASE_URL: dataSet.appUrl }, async (raw, api) => {
    const servers: [Server, Server] = [raw, api];
    const one = await findingRequests(dataSet, options.connections);
    const page = pageRequests(dataSet, options.connections, perPage);
    return [
      ...(await compare('one finding', 0.45, servers, one, bench)),
      ...(await compare('page of 50 findings', 0.6, servers, page, bench)),
      {
        measure: 'memory',
        what: 'of the API after these reads',
        value: api.memoryMb,
        unit: 'MB',
        goal: { atMost: 300 },
      },
    ];
  });
}
