import { SeededRandom } from '../../src/engine/testing/seeded-random';
import { DnsServer } from '../support/dns-server';
import { ExactlyOnceCheck } from '../support/exactly-once-check';
import { FaultLoop } from '../support/fault-loop';
import { FaultScenario } from '../support/fault-scenario';
import { FaultDeployment } from '../support/fault-deployment';
import { type Fault, faults, redisFaults } from '../support/faults';
import { redisIsInstalled, RedisServer } from '../support/redis-server';
import { retestCount, asyncOperations } from '../support/async-operations';

const total = Number(process.env['FAULT_STARTS'] ?? 500);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** How often each kind of fault is injected. */
const rounds = Math.max(1, Math.round(total / 160));

/** The jobs that wait after the last fault need minutes on two processors. What is stuck never ends. */
const limitMs = 300_000;

const transports = [
  { transport: 'PostgreSQL', isAvailable: true, redis: async () => undefined, ownFaults: [] as readonly Fault[] },
  {
    transport: 'Bull on Redis',
    isAvailable: redisIsInstalled,
    redis: () => RedisServer.start(),
    ownFaults: redisFaults,
  },
];

const settings = { ENGINE_REQUESTS_PER_SECOND: '1000', ENGINE_PROBE_SPREAD_MS: '300' };

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

for (const { transport, isAvailable, redis, ownFaults } of transports) {
  const title = `${total} operations under faults, with work notifications through ${transport}, take effect exactly once (FAULT_SEED=${seed})`;
  (isAvailable ? it : it.skip)(title, async () => {
    const random = new SeededRandom(seed);
    const deployment = new FaultDeployment(await redis());
    const scenario = new FaultScenario(deployment);
    const dns = new DnsServer();
    let codes: (number | null)[] = [];
    try {
      await dns.start();
      await deployment.postgres.start();
      await scenario.prepare(retestCount(total), random);
      await deployment.startProcesses({ ...settings, ...dns.settings, EGRESS_ALLOW: scenario.egressAllow });
      await scenario.fixHalfOfTheSites();
      const operations = asyncOperations(scenario, total, random);
      const plan = random.shuffled(Array.from({ length: rounds }, () => [...faults, ...ownFaults]).flat());
      const began = performance.now();
      const ends = await new FaultLoop(deployment, limitMs).run(operations, plan, random);
      const totalMs = performance.now() - began;
      const slowestMs = Math.max(...ends.map(({ ms }) => ms));
      const afterLastFaultMs = Math.max(0, ...ends.map(({ msAfterLastFault }) => msAfterLastFault));
      const abandoned = await new ExactlyOnceCheck(deployment.postgres, scenario).expectExactlyOnce();
      const [work] = await deployment.postgres.query<{ repeated: number }>(
        'SELECT count(*)::int AS repeated FROM work WHERE attempt > 1',
      );
      process.stdout.write(
        [
          `\n| Work notifications | Operations | Faults | Started more than once | Abandoned | Slowest | Slowest after the last fault | Total time |`,
          `| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`,
          `| ${transport} | ${operations.length} | ${plan.length} | ${work?.repeated} | ${abandoned.retests + abandoned.jobs} ` +
            `| ${seconds(slowestMs)} | ${seconds(afterLastFaultMs)} | ${seconds(totalMs)} |\n\n`,
        ].join('\n'),
      );
      expect(afterLastFaultMs).toBeLessThan(limitMs);
    } finally {
      codes = await deployment.close();
      await scenario.close();
      await dns.stop();
    }
    expect(codes).toEqual([0, 0, 0]);
  });
}
