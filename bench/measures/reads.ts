import { type Bench, withServers } from '../bench';
import { goalOf } from '../goals';
import { assetRequests, findingRequests, jobRequests, pageRequests, unchanged } from '../requests';
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

/** The raw server must return the same responses as the service, or the comparison would be unfair. */
async function expectSameResponses(servers: readonly Server[], requests: readonly BenchRequest[]): Promise<void> {
  for (const { path, headers } of requests) {
    const [one, other] = await Promise.all(
      servers.map(async ({ url }) => {
        const response = await fetch(url + path, { headers });
        return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
      }),
    );
    if (one !== other)
      throw new Error(`The raw server and the service return different responses for ${path}:\n${one}\n${other}`);
  }
}

async function round(
  server: Server,
  requests: BenchRequest[][],
  seconds: number,
  expectedStatus: number,
): Promise<Round> {
  const before = server.cpuSeconds;
  const { perSecond, p50, p99, responses } = await generateLoad({
    url: server.url,
    requests,
    seconds,
    expectedStatus,
  });
  return { perSecond, p50, p99, cpuMs: ((server.cpuSeconds - before) * 1_000) / responses };
}

async function compare(
  what: Parameters<typeof goalOf>[0],
  [raw, api]: [Server, Server],
  requests: BenchRequest[][],
  { options }: Bench,
  expectedStatus = 200,
): Promise<Figure[]> {
  await expectSameResponses([raw, api], requests[0]?.slice(0, 50) ?? []);
  const rounds: { raw: Round; api: Round }[] = [];
  for (const server of [raw, api]) await round(server, requests, 2, expectedStatus);
  for (let turn = 0; turn < options.rounds; turn++) {
    const measured = (server: Server): Promise<Round> => round(server, requests, options.seconds, expectedStatus);
    rounds.push({ raw: await measured(raw), api: await measured(api) });
  }
  const medianOf = (server: 'raw' | 'api', field: keyof Round): number =>
    median(rounds.map((both) => both[server][field]));
  const figure = (label: string, value: number, unit: string, goal?: Figure['goal']): Figure => ({
    measure: what,
    what: label,
    value,
    unit,
    ...(goal === undefined ? {} : { goal }),
  });
  return [
    figure(
      'throughput relative to the raw server',
      median(rounds.map((both) => both.api.perSecond / both.raw.perSecond)),
      '',
      goalOf(what),
    ),
    figure('raw server, requests per second', medianOf('raw', 'perSecond'), '/s'),
    figure('service, requests per second', medianOf('api', 'perSecond'), '/s'),
    figure('raw server, p50', medianOf('raw', 'p50'), 'ms'),
    figure('service, p50', medianOf('api', 'p50'), 'ms'),
    figure('raw server, p99', medianOf('raw', 'p99'), 'ms'),
    figure('service, p99', medianOf('api', 'p99'), 'ms'),
    figure(
      'p99 relative to the raw server',
      median(rounds.map((both) => both.api.p99 / both.raw.p99)),
      '',
      goalOf('p99 of a read'),
    ),
    figure('raw server, CPU time per request', medianOf('raw', 'cpuMs'), 'ms'),
    figure('service, CPU time per request', medianOf('api', 'cpuMs'), 'ms'),
  ];
}

/** The most frequent reads, compared with a raw Node.js server in alternating rounds. */
export async function reads(bench: Bench): Promise<Figure[]> {
  const { dataSet, options } = bench;
  return withServers(['raw', 'api'], { DATABASE_URL: dataSet.appUrl }, async (raw, api) => {
    const servers: [Server, Server] = [raw, api];
    const one = await findingRequests(dataSet, options.connections);
    const page = pageRequests(dataSet, options.connections, perPage);
    const assets = assetRequests(dataSet, options.connections, perPage);
    const jobs = jobRequests(dataSet, options.connections, perPage);
    return [
      ...(await compare('one finding', servers, one, bench)),
      ...(await compare('page of 50 findings', servers, page, bench)),
      ...(await compare('page of 50 assets', servers, assets, bench)),
      ...(await compare('page of 50 jobs', servers, jobs, bench)),
      ...(await compare('one finding, not changed', servers, await unchanged(raw.url, one), bench, 304)),
      {
        measure: 'memory',
        what: 'of the API after the reads',
        value: api.memoryMb,
        unit: 'MB',
        goal: goalOf('memory after the reads'),
      },
    ];
  });
}
