import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../src/engine/testing/seeded-random';
import { startApi } from '../support/api';
import { AnswerLog } from '../support/checked-client';
import { CheckedTenant } from '../support/checked-tenant';
import { useContract } from '../support/contract';
import { Factories } from '../support/factories';
import { describeWithInstalledPostgres } from '../support/installed-postgres';
import { expectNothingLost } from '../support/nothing-lost-check';
import { ReplicatedDeployment } from '../support/replicated-deployment';

/**
 * What callers notice of each fault, as a table: one after the other, under the load of chaos.spec.ts, which checks every answer.
 * Two API processes without a gateway, two workers, a primary with a synchronous standby, and a read replica. faults.spec.ts has
 * the faults of work, with Redis, chaos.spec.ts all of them in random order, and rolling-restart.spec.ts upgrades.
 *
 *   npm run test:long -- fault-table
 */
const FAULT_SECONDS = Number(process.env['FAULT_SECONDS'] ?? 10);
/** After each fault, for what comes late. */
const CALM_MS = 5_000;
/** A change must be accepted again within this time after the fault. */
const LIMIT_MS = 60_000;
const TENANTS = 3;
const SEED = 1;

const during = async (begin: () => unknown, end: () => unknown): Promise<void> => {
  await begin();
  await delay(FAULT_SECONDS * 1_000);
  await end();
};

/** The whole fault: it resolves when it is over. */
const FAULTS: readonly (readonly [string, (deployment: ReplicatedDeployment) => Promise<unknown>])[] = [
  ['none', () => delay(FAULT_SECONDS * 1_000)],
  ['kill -9 of one of two API processes, which is started again', (deployment) => deployment.kill('api', 0)],
  ['kill -9 of one of two workers, which is started again', (deployment) => deployment.kill('worker', 0)],
  [
    'the replica is killed, and started again',
    ({ servers }) =>
      during(
        () => servers.postgres.stop('third', 'SIGQUIT'),
        () => servers.startAgain('third'),
      ),
  ],
  [
    'the primary crashes, and is started again',
    ({ servers }) =>
      during(
        () => servers.postgres.stop(servers.leader, 'SIGQUIT'),
        () => servers.startAgain(servers.leader),
      ),
  ],
  [
    'the primary hangs',
    (deployment) => {
      const proxy = deployment.proxy(deployment.servers.leader);
      return during(
        () => proxy.hang(),
        () => proxy.restore(),
      );
    },
  ],
  [
    'the primary crashes, and the standby is promoted',
    async (deployment) => {
      await deployment.servers.postgres.stop(deployment.servers.leader, 'SIGQUIT');
      await deployment.promote();
    },
  ],
];

interface Row {
  readonly fault: string;
  readonly requests: number;
  readonly refused: number;
  readonly unanswered: number;
  /** Of the last request that was not accepted, and of the first change after it, in seconds after the fault began. */
  readonly lastBad: number | undefined;
  readonly nextChange: number | undefined;
}

describeWithInstalledPostgres('the faults of a deployment', () => {
  const deployment = new ReplicatedDeployment();
  const log = new AnswerLog();
  const tenants: CheckedTenant[] = [];

  beforeAll(async () => {
    await deployment.start();
    const api = await startApi({ DATABASE_URL: deployment.postgres.url() });
    useContract(api.app);
    for (let count = 0; count < TENANTS; count++)
      tenants.push(await CheckedTenant.create(new Factories(api), deployment.api.next, log));
    await api.app.close();
    await deployment.startProcesses({});
    for (const tenant of tenants) await tenant.addFindings();
  });
  afterAll(() => deployment.close());

  async function measure(fault: string, inject: (deployment: ReplicatedDeployment) => Promise<unknown>): Promise<Row> {
    const before = log.count;
    const refusals = log.refusals.length;
    const began = performance.now();
    await inject(deployment);
    const over = performance.now();
    while (!log.changes.some((at) => at > over)) {
      if (performance.now() - over > LIMIT_MS) throw new Error(`no change was accepted after: ${fault}`);
      await delay(100);
    }
    await delay(CALM_MS);
    const bad = log.refusals.slice(refusals);
    const last = bad.length === 0 ? undefined : Math.max(...bad.map(({ at }) => at));
    return {
      fault,
      requests: log.count - before,
      refused: bad.filter(({ isBroken }) => !isBroken).length,
      unanswered: bad.filter(({ isBroken }) => isBroken).length,
      lastBad: last && (last - began) / 1_000,
      nextChange: last && ((log.changes.find((at) => at > last) ?? Infinity) - began) / 1_000,
    };
  }

  it('lose and double nothing, and changes are accepted again after each', async () => {
    const over = new AbortController();
    const others = (tenant: CheckedTenant) => tenants.filter((other) => other !== tenant);
    const loads = tenants.map((tenant, at) => tenant.run(new SeededRandom(SEED + at), others(tenant), over.signal));
    const loading = Promise.all(loads);
    const rows: Row[] = [];
    try {
      for (const [fault, inject] of FAULTS)
        rows.push(
          await Promise.race([measure(fault, inject), loading.then(() => Promise.reject(new Error('no load')))]),
        );
    } finally {
      over.abort();
    }
    await loading;
    const seconds = (value: number | undefined): string => (value === undefined ? '' : `${value.toFixed(1)} s`);
    process.stdout.write(
      [
        '',
        '| Fault | Requests | 503 | No answer | Last bad request after | Next change after |',
        '| --- | ---: | ---: | ---: | ---: | ---: |',
        ...rows.map(
          ({ fault, requests, refused, unanswered, lastBad, nextChange }) =>
            `| ${fault} | ${requests} | ${refused} | ${unanswered} | ${seconds(lastBad)} | ${seconds(nextChange)} |`,
        ),
        '',
      ].join('\n'),
    );
    expect(rows.find(({ fault }) => fault === 'none')).toMatchObject({ refused: 0, unanswered: 0 });
    for (const tenant of tenants) await expectNothingLost(deployment.postgres, tenant);
  });
});
