import { useApi } from '../support/api';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { median } from '../../bench/table';
import { startProcess } from '../support/processes';
import { requestRetestOf, untilFinished } from '../support/retests';
import { VulnerableSite } from '../support/vulnerable-site';

const rounds = 9;

const site = new VulnerableSite();
const engineSettings = { EGRESS_ALLOW: site.endpoint };
const api = useApi(engineSettings);
const make = new Factories(api);

beforeAll(() => site.start());
afterAll(() => site.stop());

it('another worker takes over a retest within 15 s after its worker was killed, with the default settings', async () => {
  const takeoverSeconds: number[] = [];
  let worker = await startProcess('worker', engineSettings);
  const workers = [worker];
  try {
    for (let round = 0; round < rounds; round++) {
      site.hold();
      const retest = await requestRetestOf(make, site);
      await eventually(async () => expect(site.heldRequests).toBe(1));
      const nextWorker = await startProcess('worker', engineSettings);
      workers.push(nextWorker);
      worker.kill('SIGKILL');
      const killedAt = performance.now();
      await eventually(async () => expect(site.heldRequests).toBe(2), 30_000);
      takeoverSeconds.push((performance.now() - killedAt) / 1_000);
      site.release();
      await untilFinished(retest);
      worker = nextWorker;
    }
  } finally {
    site.release();
    for (const started of workers) started.kill('SIGTERM');
    await Promise.all(workers.map(({ exited }) => exited));
  }
  const sorted = takeoverSeconds.toSorted((one, other) => one - other).map((seconds) => seconds.toFixed(1));
  process.stdout.write(
    `Seconds until another worker runs the retest: median ${median(takeoverSeconds).toFixed(1)}, all ${sorted.join(', ')}\n`,
  );
  expect(Math.max(...takeoverSeconds)).toBeLessThan(15);
});
