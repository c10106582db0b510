import { SeededRandom } from '../../src/engine/testing/seeded-random';
import { asyncOperations, retestCount } from '../support/async-operations';
import { eventually } from '../support/eventually';
import { ExactlyOnceCheck } from '../support/exactly-once-check';
import { FaultDeployment } from '../support/fault-deployment';
import { FaultScenario } from '../support/fault-scenario';

const operations = 10;

/** Generous for a busy machine: this test does not measure speed. */
const timeoutMs = 90_000;
jest.setTimeout(2 * timeoutMs);

const deployment = new FaultDeployment();
const scenario = new FaultScenario(deployment);

beforeAll(async () => {
  await deployment.postgres.start();
  await scenario.prepare(retestCount(operations), new SeededRandom(1));
  await deployment.startProcesses({
    EGRESS_ALLOW: scenario.egressAllow,
    ENGINE_PROBE_SPREAD_MS: '20',
    ENGINE_REQUESTS_PER_SECOND: '1000',
    WORK_LEASE_SECONDS: '1',
    WORK_SWEEP_SECONDS: '0.2',
  });
  await scenario.fixHalfOfTheSites();
});
afterAll(async () => {
  expect(await deployment.close()).toEqual([0, 0, 0]);
  await scenario.close();
});

it('accepted work of two workers ends exactly once although PostgreSQL restarts and crashes', async () => {
  const accepted = asyncOperations(scenario, operations, new SeededRandom(1));
  await Promise.all(accepted.map((operation) => operation.send()));
  for (const mode of ['fast', 'immediate'] as const) {
    await deployment.waitUntilRunning('retest.run');
    await deployment.postgres.stop(mode);
    await deployment.postgres.start();
  }
  await eventually(async () => {
    for (const operation of accepted) expect(await operation.isOver()).toBe(true);
  }, timeoutMs);
  expect(await new ExactlyOnceCheck(deployment.postgres, scenario).expectExactlyOnce()).toEqual({
    retests: 0,
    jobs: 0,
  });
});
