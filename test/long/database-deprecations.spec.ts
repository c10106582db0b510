import { useApi } from '../support/api';
import { Client } from '../support/client';
import { testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { Factories, unique } from '../support/factories';
import { type RunningProcess, startApiProcess, startProcess } from '../support/processes';

const api = useApi();
const make = new Factories(api);

/** Reads pages, changes findings, and deletes organizations, which the worker then purges: ten loops at the same time. */
async function sendRequests(url: string): Promise<void> {
  const tenant = await make.organization();
  const member = new Client(() => url, (await tenant.as('member')).credentials);
  const partner = new Client(() => url, (await make.integrator()).credentials);
  const asset = { ...(await make.asset(tenant.id)), tier: null };
  const sendInTurn = async (): Promise<void> => {
    const finding = await make.finding(tenant.id, { asset });
    for (const status of [5, 1]) {
      const { id } = (await partner.post('/v1/organizations/', { name: unique('Load') })).body;
      const answers = await Promise.all([
        partner.get(`/v1/organizations/${id}/assets/`),
        member.get(`/v1/assets/${asset.id}`),
        member.post(`/v1/findings/${finding.id}/status`, { status }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
      expect((await partner.delete(`/v1/organizations/${id}/`)).status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 10 }, sendInTurn));
}

describe('the API and the worker', () => {
  const processes: RunningProcess[] = [];
  let proxy: DatabaseProxy;

  beforeEach(async () => {
    proxy = new DatabaseProxy((await testDatabase()).appUrl);
    await proxy.start();
  });
  afterEach(async () => {
    await stopAll();
    await proxy.disconnect();
  });

  async function stopAll(): Promise<string> {
    const stopped = processes.splice(0);
    for (const { kill } of stopped) kill('SIGTERM');
    await Promise.all(stopped.map(({ exited }) => exited));
    return stopped.map(({ output }) => output()).join('');
  }

  it.each([
    ['answers normally', () => undefined],
    ['does not answer NOTIFY', () => proxy.dropAnswersTo('NOTIFY')],
  ])('make no deprecated library call under load while the database %s', async (_what, disturb) => {
    const environment = { NODE_OPTIONS: '--trace-deprecation', LOG_LEVEL: 'warn', DATABASE_URL: proxy.url };
    const service = await startApiProcess(environment);
    processes.push(service, await startProcess('worker', { ...environment, WORK_SWEEP_SECONDS: '0.1' }));
    disturb();
    await sendRequests(service.url);
    expect(await stopAll()).not.toContain('DeprecationWarning');
  });
});
