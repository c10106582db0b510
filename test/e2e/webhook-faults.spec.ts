import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant } from '../support/factories';
import { startProcess } from '../support/processes';
import { useWebhookReceiver } from '../support/webhook-receiver';
import { createWebhook, deliveriesOf, type WebhookBody } from '../support/webhooks';

const receiver = useWebhookReceiver();
const api = useApi({
  get WEBHOOK_ALLOW() {
    return receiver.entry;
  },
});
const make = new Factories(api);

interface Setting {
  readonly tenant: Tenant;
  readonly admin: Person;
  readonly hooks: readonly WebhookBody[];
  /** Is one entry for each of its webhooks. */
  readonly change: () => Promise<unknown>;
}

async function setting(path: string, webhooks = 1): Promise<Setting> {
  const tenant = await make.organization();
  const admin = await tenant.as('admin');
  const { id } = await make.asset(tenant.id);
  const hooks: WebhookBody[] = [];
  for (let index = 0; index < webhooks; index++)
    hooks.push(await createWebhook(admin.client, tenant.id, { url: receiver.url(path), types: ['asset.changed'] }));
  return { tenant, admin, hooks, change: () => query('UPDATE assets SET tier = 1 WHERE id = $1', [id]) };
}

const workerSettings = () => ({ ...receiver.settings, WORK_SWEEP_SECONDS: '0.2', WORKER_CONCURRENCY: '5' });

/** The number of requests that hang when the first message arrives at another path. */
function hangingAtArrival(hanging: string, path: string): Promise<number> {
  return new Promise((resolve) =>
    receiver.answer(path, (_request, response) => {
      response.writeHead(204).end();
      resolve(receiver.at(hanging).length);
    }),
  );
}

it('a message whose worker is killed before it has recorded the delivery comes again with the same id', async () => {
  const { admin, hooks, change } = await setting('/killed');
  const first = await startProcess('worker', workerSettings());
  receiver.answer('/killed', (_request, response) => {
    if (receiver.at('/killed').length === 1) first.kill('SIGKILL');
    response.writeHead(204).end();
  });
  await change();
  await first.exited;
  const [hook] = hooks;
  if (hook === undefined) throw new Error('there is no webhook');
  expect(await deliveriesOf(admin.client, hook)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
  const second = await startProcess('worker', workerSettings());
  try {
    await eventually(async () => {
      expect(await deliveriesOf(admin.client, hook)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    }, 60_000);
    const ids = receiver.at('/killed').map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(receiver.at('/killed')[1]?.body).toBe(receiver.at('/killed')[0]?.body);
  } finally {
    second.kill('SIGTERM');
    await second.exited;
  }
}, 120_000);

describe('receivers that hang', () => {
  it('of one organization do not delay the messages of another', async () => {
    const hanging = await setting('/hanging', 20);
    const other = await setting('/beside');
    receiver.answer('/hanging', () => undefined);
    const arrival = hangingAtArrival('/hanging', '/beside');
    await hanging.change();
    const worker = await startWorker(workerSettings());
    try {
      await eventually(async () => expect(receiver.at('/hanging').length).toBeGreaterThanOrEqual(4));
      await other.change();
      expect(await arrival).toBe(4);
    } finally {
      await query('DELETE FROM webhooks WHERE organization_id = $1', [hanging.tenant.id]);
      await worker.stop();
    }
  }, 60_000);

  it('of many organizations do not delay the others either, once they have not answered', async () => {
    const dead = await Promise.all(Array.from({ length: 6 }, () => setting('/dead')));
    const other = await setting('/alive');
    receiver.answer('/dead', () => undefined);
    const arrival = hangingAtArrival('/dead', '/alive');
    const ids = dead.map(({ tenant }) => tenant.id);
    await query('UPDATE webhooks SET misses = 1 WHERE organization_id = ANY($1)', [ids]);
    for (const { change } of dead) await change();
    const worker = await startWorker(workerSettings());
    try {
      await eventually(async () => expect(receiver.at('/dead').length).toBeGreaterThanOrEqual(3));
      await other.change();
      expect(await arrival).toBe(3);
    } finally {
      await query('DELETE FROM webhooks WHERE organization_id = ANY($1)', [ids]);
      await worker.stop();
    }
  }, 60_000);
});
