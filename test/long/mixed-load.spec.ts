import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type RunningApi, startApi } from '../support/api';
import { type ApisBehindGateway, startTwoBehind, TwoProcesses } from '../support/behind-gateway';
import type { Client } from '../support/client';
import { useContract } from '../support/contract';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { installedGateways } from '../support/gateways';
import { Browser, PASSWORD } from '../support/portal';
import { redisIsInstalled, RedisServer } from '../support/redis-server';
import { RestartablePostgres } from '../support/restartable-postgres';
import { IdentityService } from '../../src/modules/identity';
import { asOperator } from '../../src/apps/cli/run-in-domain';
import { VulnerableSite } from '../support/vulnerable-site';

const MINUTES = Number(process.env['MIXED_LOAD_MINUTES'] ?? 10);
const CLIENTS = 8;
/** How long the database and Redis are away. */
const OUTAGE_MS = 3_000;
/** Memory may vary by this factor after the first quarter. */
const MAX_GROWTH = 1.25;

const [gatewayName] = installedGateways;
const itBehindGateway = gatewayName === undefined || !redisIsInstalled ? it.skip : it;

interface Sample {
  readonly kind: string;
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

interface Kind {
  readonly name: string;
  /** How many of a hundred requests. */
  readonly share: number;
  readonly status: number;
  readonly send: (turn: number) => Promise<{ status: number; headers: Headers; text: string }>;
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Sends requests of all kinds in their shares. Each client sends the next one when the interval is over, and never two at once. */
async function load(kinds: readonly Kind[], forMs: number, intervalMs: number, samples: Sample[]): Promise<void> {
  const plan = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  const end = performance.now() + forMs;
  let turn = 0;
  const client = async (number: number): Promise<void> => {
    let next = performance.now() + (intervalMs * number) / CLIENTS;
    while (performance.now() < end) {
      await delay(Math.max(0, next - performance.now()));
      next = Math.max(next + intervalMs, performance.now());
      turn += 1;
      const kind = plan[(turn * 37) % plan.length];
      if (kind === undefined) continue;
      const at = performance.now();
      const answer = await kind.send(turn).catch((error: Error) => inspect(error.cause ?? error));
      const ms = performance.now() - at;
      const failed = typeof answer === 'string';
      samples.push({
        kind: kind.name,
        at,
        ms,
        status: failed ? 0 : answer.status,
        retryAfter: failed ? null : answer.headers.get('retry-after'),
        text: failed ? answer : answer.status === kind.status ? '' : answer.text.slice(0, 200),
      });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
}

itBehindGateway(
  `${MINUTES} minutes of mixed load at half of the capacity have no error, also when PostgreSQL and Redis restart`,
  async () => {
    const site = new VulnerableSite();
    const postgres = new RestartablePostgres();
    const proxy = new DatabaseProxy(() => postgres.url());
    let redis: RedisServer | undefined;
    let api: RunningApi | undefined;
    let behind: ApisBehindGateway | undefined;
    let workers: TwoProcesses | undefined;
    try {
      await Promise.all([site.start(), postgres.start(), proxy.start()]);
      redis = await RedisServer.start();
      const settings = {
        DATABASE_URL: proxy.url,
        REDIS_URL: redis.url,
        EGRESS_ALLOW: site.endpoint,
        ENGINE_REQUESTS_PER_SECOND: '1000',
        ENGINE_PROBE_SPREAD_MS: '20',
        LOG_LEVEL: 'warn',
        DATABASE_TIMEOUT_MS: '30000',
      };
      api = await startApi(settings);
      useContract(api.app);
      behind = await startTwoBehind(gatewayName ?? 'nginx', settings);
      workers = new TwoProcesses('worker', [settings, settings]);
      await workers.start();
      const make = new Factories({ app: api.app, port: behind.gateway.port, url: behind.gateway.url });
      const tenant = await make.organization();
      const owner = await tenant.as('owner');
      const { client: pipeline } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
      const browser = await signIn(api, behind.gateway.portalUrl, owner.userId, postgres);
      const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
      const draft = {
        asset: { id: asset.id, value: site.url, tier: null },
        checkId: 'missing-nosniff',
        checkDefinition: { location: site.url },
      };
      const findings: number[] = [];
      for (let count = 0; count < 20 + 40 * MINUTES; count++)
        findings.push((await make.finding(tenant.id, { ...draft, title: unique('Finding') })).id);

      const retests: string[] = [];
      const jobs: string[] = [];
      let created = 0;
      const { client } = owner;
      const countIf = async <T extends { status: number }>(
        status: number,
        sent: Promise<T>,
        count: (answer: T) => void,
      ) => {
        const answer = await sent;
        if (answer.status === status) count(answer);
        return answer;
      };
      const kinds = (withWork: boolean): Kind[] => [
        {
          name: 'page of findings',
          share: 30,
          status: 200,
          send: () => client.get(`/v1/organizations/${tenant.id}/findings/`),
        },
        {
          name: 'one finding',
          share: 25,
          status: 200,
          send: (turn) => client.get(`/v1/findings/${findings[turn % findings.length]}/`),
        },
        {
          name: 'new asset',
          share: 20,
          status: 201,
          send: (turn) =>
            countIf(
              201,
              client.post('/v1/assets/', {
                organization_id: tenant.id,
                asset_value: `${withWork ? 'x' : 'y'}${turn}.example`,
                asset_type: 'domain',
              }),
              () => (created += 1),
            ),
        },
        { name: 'page of the portal', share: 23, status: 200, send: () => browser.get(`/o/${tenant.id}/findings`) },
      ];

      const warmUp: Sample[] = [];
      const capacityMs = Math.min(15_000, MINUTES * 6_000);
      await load(kinds(false), 5_000, 0, []);
      await load(kinds(false), capacityMs, 0, warmUp);
      const capacity = warmUp.length / (capacityMs / 1_000);

      const samples: Sample[] = [];
      const memory = new Map<string, number[]>();
      const began = performance.now();
      const totalMs = MINUTES * 60_000;
      const sampling = setInterval(() => {
        for (const [name, two] of [
          ['API', behind?.apis],
          ['worker', workers],
        ] as const)
          two?.running.forEach(({ child }, at) => {
            const of = memory.get(`${name} ${at + 1}`) ?? [];
            memory.set(`${name} ${at + 1}`, [...of, residentMegabytes(child.pid ?? 0)]);
          });
      }, totalMs / 200);
      const over = new AbortController();
      const work = async (): Promise<void> => {
        for (let turn = 0; !over.signal.aborted; turn++) {
          const path = `/v1/findings/${findings[turn % findings.length]}/retest`;
          if ((await client.post(path).catch(() => undefined))?.status === 202) retests.push(path);
          if (turn % 5 === 0) {
            const launched = await pipeline.post('/v1/jobs/launch', { url: site.url }).catch(() => undefined);
            if (launched !== undefined && launched.status < 300) jobs.push(launched.body.uuid as string);
          }
          await delay(2_000);
        }
      };
      const outages: { from: number; to: number }[] = [];
      const restart = async (what: { stop(): Promise<void>; start(): Promise<void> }): Promise<void> => {
        const from = performance.now();
        await what.stop();
        await delay(OUTAGE_MS);
        await what.start();
        await eventually(async () => expect((await client.get('/v1/me')).status).toBe(200));
        outages.push({ from, to: performance.now() });
      };
      const faults = async (): Promise<void> => {
        await delay(totalMs / 2);
        await restart({ stop: () => postgres.stop('fast'), start: () => postgres.start() });
        await delay(totalMs / 20);
        await restart({ stop: async () => redis?.stop(), start: async () => redis?.start() });
      };
      const working = work();
      const failing = faults();
      await load(kinds(true), totalMs, (1_000 * CLIENTS) / (capacity / 2), samples);
      await failing;
      over.abort();
      await working;
      clearInterval(sampling);

      const inOutage = ({ at, ms }: Sample): boolean => outages.some(({ from, to }) => at < to && at + ms > from);
      const names = [...new Set(samples.map(({ kind }) => kind))];
      const rows = names.map((name) => {
        const calm = samples.filter((sample) => sample.kind === name && !inOutage(sample)).map(({ ms }) => ms);
        return `| ${name} | ${calm.length} | ${percentile(calm, 0.5).toFixed(1)} ms | ${percentile(calm, 0.99).toFixed(1)} ms |`;
      });
      const growth = [...memory].map(([name, all]) => {
        const quarter = Math.floor(all.length / 4);
        return {
          name,
          early: mean(all.slice(quarter, 2 * quarter)),
          late: mean(all.slice(-quarter)),
          max: Math.max(...all),
        };
      });
      const errors = samples.filter(({ text }) => text !== '');
      process.stdout.write(
        [
          `\n${gatewayName}: ${(performance.now() - began) / 60_000} minutes, capacity ${capacity.toFixed(0)}/s, sent ${(samples.length / (totalMs / 1_000)).toFixed(0)}/s, ` +
            `${errors.length} errors, ${retests.length} retests, ${jobs.length} jobs`,
          '| Request | Count | p50 | p99 |',
          '| --- | ---: | ---: | ---: |',
          ...rows,
          '| Process | Second quarter | Last quarter | Maximum |',
          '| --- | ---: | ---: | ---: |',
          ...growth.map(
            ({ name, early, late, max }) =>
              `| ${name} | ${early.toFixed(0)} MB | ${late.toFixed(0)} MB | ${max.toFixed(0)} MB |`,
          ),
          ...[...new Set(errors.map(({ status, text }) => `${status} ${text}`))].slice(0, 10),
          `longest outage: ${Math.max(...outages.map(({ from, to }) => to - from)).toFixed(0)} ms\n\n`,
        ].join('\n'),
      );

      expect(errors.filter((sample) => !inOutage(sample))).toEqual([]);
      expect(errors.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
      await expectFinished(client, retests, pipeline, jobs);
      const [counts] = await postgres.query<{ assets: number; entries: number }>(
        `SELECT (SELECT count(*)::int FROM assets WHERE organization_id = $1) AS assets,
           (SELECT count(*)::int FROM audit_logs
            WHERE organization_id = $1 AND operation = 'asset.create' AND status = 'success') AS entries`,
        [tenant.id],
      );
      expect(counts?.entries).toBe(counts?.assets);
      // One was created before. The response to a change that was committed may have been lost in the outage.
      expect(counts?.assets).toBeGreaterThanOrEqual(created + 1);
      for (const { early, late } of growth) expect(late).toBeLessThan(MAX_GROWTH * early);
    } finally {
      await workers?.end('SIGKILL');
      await behind?.stop();
      await api?.app.close();
      await proxy.disconnect();
      await postgres.remove();
      await redis?.stop();
      await site.stop();
    }
  },
  (MINUTES + 10) * 60_000,
);

async function expectFinished(client: Client, retests: string[], pipeline: Client, jobs: string[]): Promise<void> {
  for (const path of new Set(retests))
    await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'), 120_000);
  for (const uuid of jobs)
    await eventually(
      async () => expect((await pipeline.get(`/v1/jobs/${uuid}/status`)).body.status).toBe('FINISHED'),
      120_000,
    );
}

async function signIn(api: RunningApi, url: string, userId: number, postgres: RestartablePostgres): Promise<Browser> {
  const description = { operation: 'user.password_change', resourceType: 'user' } as const;
  await asOperator(api.app, description, () => api.app.get(IdentityService).changePassword(userId, PASSWORD));
  const [user] = await postgres.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  const browser = new Browser({ url });
  const answer = await browser.submit('/sign-in', '/sign-in', { email: user?.email ?? '', password: PASSWORD });
  if (answer.status !== 303) throw new Error(answer.text);
  return browser;
}
