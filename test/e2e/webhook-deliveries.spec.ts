import { Webhook as Verifier } from 'standardwebhooks';
import { WebhookDeliveriesRepository } from '../../src/modules/webhooks/data/webhook-deliveries.repository';
import { WebhookUpkeep } from '../../src/modules/webhooks/work/webhook-upkeep';
import { everything } from '../../src/platform/api/scope';
import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';
import { useWebhookReceiver } from '../support/webhook-receiver';
import {
  createWebhook,
  deliveriesOf,
  isSignedFor,
  type WebhookBody,
  webhooksPath,
  WebhookTime,
} from '../support/webhooks';

const receiver = useWebhookReceiver();
const api = useApi({
  AUTH_CACHE_SECONDS: '0',
  get WEBHOOK_ALLOW() {
    return receiver.entry;
  },
});
const make = new Factories(api);
const time = new WebhookTime(api);

const DAY = 86_400;

beforeEach(() => time.start());
afterEach(() => jest.restoreAllMocks());

interface Setting {
  readonly tenant: Tenant;
  readonly admin: Person;
  readonly client: Client;
  /** Changes the tier of an asset, which is an entry of the feed for each change. */
  readonly change: (asset: 'one' | 'other', tier: number) => Promise<void>;
  readonly hook: WebhookBody;
}

let paths = 0;

/** With a path of its own at the receiver. */
async function setting(path: string, options: Readonly<Record<string, unknown>> = {}): Promise<Setting> {
  const tenant = await make.organization();
  const admin = await tenant.as('admin');
  const { id: one } = await make.asset(tenant.id);
  const { id: other } = await make.asset(tenant.id);
  const hook = await createWebhook(admin.client, tenant.id, {
    url: receiver.url(path),
    types: ['asset.changed'],
    ...options,
  });
  const change = async (asset: 'one' | 'other', tier: number): Promise<void> => {
    await query('UPDATE assets SET tier = $1 WHERE id = $2', [tier, asset === 'one' ? one : other]);
  };
  return { tenant, admin, client: admin.client, change, hook };
}

const newPath = (): string => `/deliveries/${paths++}`;

const tiersAt = (path: string): number[] =>
  receiver.at(path).map(({ body }) => (JSON.parse(body) as { data: { tier: number } }).data.tier);

const webhookOf = async ({ client, hook }: Setting): Promise<WebhookBody> =>
  (await client.get(`${webhooksPath(hook.organization_id)}/${hook.id}`)).body as WebhookBody;

describe('a message', () => {
  it('is the entry of the feed, signed so that the standardwebhooks library accepts it', async () => {
    const path = newPath();
    const { change, client, hook, tenant } = await setting(path);
    await change('one', 2);
    await time.run(hook);
    const [message, ...rest] = receiver.at(path);
    expect(rest).toEqual([]);
    const { entries } = (await client.get(`/v1/organizations/${tenant.id}/feed?type=asset.changed`)).body;
    expect(
      new Verifier(hook.secret ?? '').verify(message?.body ?? '', message?.headers as Record<string, string>),
    ).toEqual(entries[0]);
    expect(message?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Assay-Webhooks/1' });
    expect(() =>
      new Verifier(hook.secret ?? '').verify(`${message?.body} `, message?.headers as Record<string, string>),
    ).toThrow('No matching signature');
    const [delivery] = await deliveriesOf(client, hook);
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: 1,
      status_code: 204,
      error: null,
      next_attempt: null,
    });
    expect(delivery?.id).toBe(message?.headers['webhook-id']);
  });

  it('has an Ed25519 signature that the public key verifies, and no secret is shown', async () => {
    const path = newPath();
    const { change, hook } = await setting(path, { signature: 'ed25519' });
    expect(hook).toMatchObject({ secret: null, public_key: expect.stringMatching(/^whpk_[\w+/]{43}=$/) });
    await change('one', 2);
    await time.run(hook);
    const [message] = receiver.at(path);
    if (message === undefined) throw new Error('nothing was received');
    expect(isSignedFor(hook.public_key ?? '', message)).toBe(true);
    expect(isSignedFor(hook.public_key ?? '', { ...message, body: `${message.body} ` })).toBe(false);
  });

  it('has both signatures during the overlap of a rotation, and one after it', async () => {
    for (const signature of ['hmac', 'ed25519']) {
      const path = newPath();
      const { change, client, hook } = await setting(path, { signature });
      const rotated = (
        await client.post(`${webhooksPath(hook.organization_id)}/${hook.id}/secret`, { overlap_hours: 2 })
      ).body as WebhookBody;
      const accepts = (one: WebhookBody, index: number): boolean => {
        const message = receiver.at(path)[index];
        if (message === undefined) throw new Error('nothing was received');
        if (one.public_key !== null) return isSignedFor(one.public_key, message);
        try {
          return (
            new Verifier(one.secret ?? '').verify(message.body, message.headers as Record<string, string>) !== null
          );
        } catch {
          return false;
        }
      };
      await change('one', 1);
      await time.run(hook);
      expect([accepts(hook, 0), accepts(rotated, 0)]).toEqual([true, true]);
      // The signature is not yet two hours old for the library, so the overlap ends here instead.
      await query('UPDATE webhooks SET previous_until = $1 WHERE id = $2', [new Date(Date.now() - 60_000), hook.id]);
      await change('one', 2);
      await time.run(hook);
      expect([accepts(hook, 1), accepts(rotated, 1)]).toEqual([false, true]);
    }
  });

  it('is sent only for what the filter names, from the creation of the webhook on', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { id: asset } = await make.asset(tenant.id);
    const high = await make.finding(tenant.id, { title: 'High', severity: 'high' });
    const low = await make.finding(tenant.id, { title: 'Low', severity: 'low' });
    const path = newPath();
    const hook = await createWebhook(client, tenant.id, {
      url: receiver.url(path),
      types: ['finding', 'asset.changed'],
      severity: 'high',
    });
    await query('UPDATE assets SET tier = 1 WHERE id = $1', [asset]);
    for (const { id } of [high, low]) await client.post(`/v1/findings/${id}/status`, { status: 3 });
    await time.run(hook);
    expect(receiver.at(path).map(({ body }) => (JSON.parse(body) as { record_id: string }).record_id)).toEqual([
      String(high.id),
    ]);
    expect(await deliveriesOf(client, hook)).toMatchObject([{ type: 'finding.changed', record: `finding ${high.id}` }]);
  });
});

describe('the order', () => {
  it('is kept for each record, also while an earlier message fails, and messages about other records continue', async () => {
    const path = newPath();
    const { change, client, hook } = await setting(path);
    let failures = 2;
    receiver.answer(path, (_request, response, body) => {
      const isFirst = (JSON.parse(body) as { data: { tier: number } }).data.tier === 1;
      response.writeHead(isFirst && failures-- > 0 ? 500 : 204).end();
    });
    await change('one', 1);
    await change('one', 2);
    await change('other', 3);
    await change('one', 3);
    await time.run(hook);
    expect(tiersAt(path).toSorted()).toEqual([1, 3]);
    time.advance(5);
    await time.run(hook);
    expect(tiersAt(path)).toHaveLength(3);
    time.advance(30);
    await time.run(hook);
    expect(tiersAt(path).slice(2)).toEqual([1, 1, 2, 3]);
    expect((await deliveriesOf(client, hook)).map(({ attempts, state }) => [attempts, state])).toEqual([
      [3, 'delivered'],
      [1, 'delivered'],
      [1, 'delivered'],
      [1, 'delivered'],
    ]);
  });

  it('has each entry once, also when two workers feed at once', async () => {
    const path = newPath();
    const { change, client, hook } = await setting(path);
    for (let round = 0; round < 10; round++) await change('one', 1 + (round % 3));
    await Promise.all(Array.from({ length: 20 }, () => time.tick()));
    await time.run(hook);
    const positions = (await deliveriesOf(client, hook)).map(({ position }) => position);
    expect(positions).toHaveLength(10);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => Number(a) - Number(b)));
    expect(receiver.at(path)).toHaveLength(10);
  });
});

it('keeps no result of an attempt that counted as lost, because another one has begun', async () => {
  const path = newPath();
  const one = await setting(path);
  const { change, client, hook } = one;
  receiver.answer(path, (_request, response) => {
    const begun = query('UPDATE webhook_deliveries SET attempts = attempts + 1 WHERE webhook_id = $1', [hook.id]);
    void begun.then(() => response.writeHead(410).end());
  });
  await change('one', 1);
  await time.run(hook);
  expect(await deliveriesOf(client, hook)).toMatchObject([{ state: 'waiting', attempts: 2, status_code: null }]);
  expect(await webhookOf(one)).toMatchObject({ state: 'active', failing_since: null });
});

describe('a receiver that fails', () => {
  it('is tried with growing pauses for three days, and the message is abandoned only after that', async () => {
    const path = newPath();
    receiver.answer(path, (_request, response, body) => {
      const isFirst = (JSON.parse(body) as { data: { tier: number } }).data.tier === 1;
      response.writeHead(isFirst ? 500 : 204).end();
    });
    const { change, client, hook } = await setting(path);
    await change('one', 1);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt++) {
      // The receiver accepts others, so it is not paused.
      await change('other', 2 + (attempt % 2));
      await time.run(hook);
      const [delivery] = await deliveriesOf(client, hook);
      if (delivery?.next_attempt == null) break;
      const [row] = await query<{ pause: number }>(
        'SELECT extract(epoch FROM next_attempt - first_attempt)::int AS pause FROM webhook_deliveries WHERE message_id = $1',
        [delivery.id],
      );
      const before = pauses.reduce((sum, one) => sum + one, 0);
      pauses.push((row?.pause ?? 0) - before);
      time.advance(pauses.at(-1) ?? 0);
    }
    expect(pauses.slice(0, 9)).toEqual([5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200]);
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(3 * DAY);
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBeLessThan(4 * DAY);
    expect((await deliveriesOf(client, hook))[0]).toMatchObject({ state: 'failed', status_code: 500 });
  });

  it('is paused after three days, with an audit entry, and continues without a loss when it is resumed', async () => {
    const path = newPath();
    receiver.status(path, 500);
    const one = await setting(path);
    const { change, client, hook } = one;
    await change('one', 1);
    await time.run(hook);
    expect(await webhookOf(one)).toMatchObject({ state: 'active', failing_since: expect.any(String) });
    time.advance(3 * DAY - 60);
    await time.run(hook);
    expect((await webhookOf(one)).state).toBe('active');
    await change('other', 2);
    time.advance(60);
    await time.run(hook);
    expect(await webhookOf(one)).toMatchObject({ state: 'paused', pause_reason: 'failing' });
    const { audit_logs: entries } = (
      await client.get(`/v1/audit-logs/?organization_id=${hook.organization_id}&operation=webhook.pause`)
    ).body;
    expect(entries).toMatchObject([{ actor_type: 'system', resource_id: String(hook.id), status: 'success' }]);
    const sent = receiver.at(path).length;
    await change('other', 3);
    time.advance(DAY);
    await time.run(hook);
    expect(receiver.at(path)).toHaveLength(sent);
    receiver.status(path, 204);
    await client.patch(`${webhooksPath(hook.organization_id)}/${hook.id}`, { state: 'active' });
    await time.run(hook);
    expect((await deliveriesOf(client, hook)).filter(({ state }) => state !== 'delivered')).toMatchObject([]);
    expect(
      tiersAt(path)
        .slice(sent)
        .filter((tier) => tier !== 1),
    ).toEqual([2, 3]);
    expect(await webhookOf(one)).toMatchObject({ state: 'active', failing_since: null });
  });

  it('is paused at once when it answers 410', async () => {
    const path = newPath();
    receiver.status(path, 410);
    const one = await setting(path);
    await one.change('one', 1);
    await one.change('other', 1);
    await time.run(one.hook);
    expect(await webhookOf(one)).toMatchObject({ state: 'paused', pause_reason: 'gone' });
    time.advance(DAY);
    const sent = receiver.at(path).length;
    await time.run(one.hook);
    expect(receiver.at(path)).toHaveLength(sent);
  });

  it.each([429, 503])('gets no messages for the pause that it asks for with %i and Retry-After', async (status) => {
    const path = newPath();
    receiver.status(path, status, { 'retry-after': '600' });
    const { change, client, hook } = await setting(path);
    await change('one', 1);
    await time.run(hook);
    receiver.status(path, 204);
    await change('other', 2);
    time.advance(590);
    await time.tick();
    const due = "SELECT 1 FROM work WHERE kind LIKE 'webhook.%' AND reference = $1 AND state = 'waiting'";
    expect(await query(due, [String(hook.id)])).toEqual([]);
    await time.run(hook);
    expect(tiersAt(path)).toEqual([1]);
    time.advance(10);
    await time.run(hook);
    expect(tiersAt(path).slice(1).toSorted()).toEqual([1, 2]);
    expect((await deliveriesOf(client, hook)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('cannot ask for a pause of more than twelve hours', async () => {
    const path = newPath();
    receiver.status(path, 503, { 'retry-after': '999999999' });
    const { change, hook } = await setting(path);
    await change('one', 1);
    await time.run(hook);
    receiver.status(path, 204);
    time.advance(12 * 3_600);
    await time.run(hook);
    expect(tiersAt(path)).toEqual([1, 1]);
  });

  it('gets one message at a time while it does not answer, and the others when it answers again', async () => {
    const path = newPath();
    receiver.answer(path, (request) => request.socket.destroy());
    const { change, client, hook } = await setting(path);
    await change('one', 1);
    await time.run(hook);
    await change('one', 2);
    await change('other', 3);
    await time.run(hook);
    expect(receiver.at(path)).toHaveLength(1);
    expect((await deliveriesOf(client, hook))[0]).toMatchObject({
      state: 'waiting',
      error: 'no_answer',
      status_code: null,
    });
    time.advance(5);
    await time.run(hook);
    expect(receiver.at(path)).toHaveLength(2);
    receiver.status(path, 204);
    time.advance(30);
    await time.run(hook);
    time.advance(120);
    await time.run(hook);
    expect((await deliveriesOf(client, hook)).map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('that redirects gets nothing at the other address, and its message waits', async () => {
    const path = newPath();
    const other = newPath();
    receiver.status(path, 302, { location: receiver.url(other) });
    const { change, client, hook } = await setting(path);
    await change('one', 1);
    await time.run(hook);
    expect(receiver.at(other)).toEqual([]);
    expect(await deliveriesOf(client, hook)).toMatchObject([{ state: 'waiting', status_code: 302 }]);
  });

  it('keeps at most 1,000 messages waiting: the others stay in the feed', async () => {
    const path = newPath();
    receiver.status(path, 500);
    const { change, client, hook, tenant } = await setting(path);
    await change('one', 1);
    await query(
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, message_id, position, type, record, next_attempt, created)
       SELECT $1, $2, gen_random_uuid(), 1000000 + n, 'asset.changed', 'asset 0', now() + interval '1 day', now()
       FROM generate_series(1, 1000) n`,
      [tenant.id, hook.id],
    );
    await time.run(hook);
    expect(receiver.at(path)).toEqual([]);
    await query('DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND position > 1000000', [hook.id]);
    receiver.status(path, 204);
    await time.run(hook);
    expect(tiersAt(path)).toEqual([1]);
    expect(await deliveriesOf(client, hook)).toHaveLength(1);
  });
});

describe('redelivery', () => {
  it('sends one message again with the same id', async () => {
    const path = newPath();
    const { change, client, hook } = await setting(path);
    await change('one', 1);
    await time.run(hook);
    const [delivery] = await deliveriesOf(client, hook);
    const base = `${webhooksPath(hook.organization_id)}/${hook.id}`;
    const answer = await client.post(`${base}/deliveries/${delivery?.id}/redeliver`);
    expect([answer.status, answer.body.state]).toEqual([202, 'waiting']);
    await time.run(hook);
    expect(receiver.at(path).map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id, delivery?.id]);
    expect(receiver.at(path)[0]?.body).toBe(receiver.at(path)[1]?.body);
  });

  it('sends a time range again, in order, and only what the filter names', async () => {
    const path = newPath();
    const { change, client, hook } = await setting(path);
    const start = time.at(-1);
    await change('one', 1);
    await change('one', 2);
    await time.run(hook);
    time.advance(60);
    await change('one', 3);
    await time.run(hook);
    const base = `${webhooksPath(hook.organization_id)}/${hook.id}`;
    const until = time.at(-30);
    expect((await client.post(`${base}/redeliver`, { from: start, to: until, state: 'failed' })).body).toEqual({
      deliveries: 0,
    });
    expect((await client.post(`${base}/redeliver`, { from: start, to: until })).body).toEqual({ deliveries: 2 });
    await time.run(hook);
    expect(tiersAt(path)).toEqual([1, 2, 3, 1, 2]);
    receiver.status(path, 500);
    await client.post(`${base}/test`);
    await change('one', 2);
    await time.run(hook);
    // Neither the test, nor the message that waits.
    expect((await client.post(`${base}/redeliver`, { from: start })).body).toEqual({ deliveries: 3 });
  });

  it('sends nothing of a range with more than 10,000 messages, and says so', async () => {
    const { change, client, hook } = await setting(newPath());
    await change('one', 1);
    await time.run(hook);
    const deliveries = api.app.get(WebhookDeliveriesRepository, { strict: false });
    const send = deliveries.sendRangeAgain.bind(deliveries);
    // As if there were 10,000 more.
    jest.spyOn(deliveries, 'sendRangeAgain').mockImplementation(async (...range) => 10_000 + (await send(...range)));
    const base = `${webhooksPath(hook.organization_id)}/${hook.id}`;
    const answer = await client.post(`${base}/redeliver`, { from: '2026-01-01' });
    expect(answer.body).toMatchObject({ code: 422, description: expect.stringContaining('10,000') as string });
    expect(await deliveriesOf(client, hook)).toMatchObject([{ state: 'delivered' }]);
  });

  it('is refused while the webhook is paused, but a test is sent with one attempt', async () => {
    const path = newPath();
    receiver.status(path, 500);
    const one = await setting(path);
    const { client, hook } = one;
    const base = `${webhooksPath(hook.organization_id)}/${hook.id}`;
    await client.patch(base, { state: 'paused' });
    expect((await client.post(`${base}/redeliver`, { from: '2026-01-01' })).status).toBe(409);
    const test = await client.post(`${base}/test`);
    expect([test.status, test.body.type, test.body.position]).toEqual([202, 'webhook.test', null]);
    await time.run(hook);
    expect(await deliveriesOf(client, hook)).toMatchObject([{ state: 'failed', attempts: 1, status_code: 500 }]);
    expect((await client.post(`${base}/deliveries/${test.body.id}/redeliver`)).status).toBe(409);
    expect(JSON.parse(receiver.at(path)[0]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      record_id: String(hook.id),
    });
    expect(await webhookOf(one)).toMatchObject({ state: 'paused', pause_reason: 'admin', failing_since: null });
  });
});

it('is paused when its maker is no longer an admin, and another admin takes it over by resuming it', async () => {
  const path = newPath();
  const one = await setting(path);
  const { admin, change, hook, tenant } = one;
  const owner = await tenant.as('owner');
  await change('one', 1);
  await owner.client.patch(`/v1/organizations/${tenant.id}/members/${admin.userId}`, { role: 'member' });
  await time.run(hook);
  expect(receiver.at(path)).toEqual([]);
  const base = `${webhooksPath(tenant.id)}/${hook.id}`;
  expect((await owner.client.get(base)).body).toMatchObject({ state: 'paused', pause_reason: 'maker_left' });
  await owner.client.patch(base, { state: 'active' });
  await time.run(hook);
  expect(tiersAt(path)).toEqual([1]);
});

it('sends no byte of one organization to the webhook of another', async () => {
  const mine = newPath();
  const theirs = newPath();
  const one = await setting(mine);
  const other = await setting(theirs);
  await one.change('one', 1);
  await time.run(one.hook);
  await time.run(other.hook);
  expect([receiver.at(mine).length, receiver.at(theirs).length]).toEqual([1, 0]);
  // Both feeds have the same positions.
  await one.change('one', 3);
  await other.change('one', 2);
  await other.change('one', 1);
  await time.run(one.hook);
  await time.run(other.hook);
  expect([tiersAt(mine), tiersAt(theirs)]).toEqual([
    [1, 3],
    [2, 1],
  ]);
  const base = `${webhooksPath(one.tenant.id)}/${one.hook.id}`;
  const [delivery] = await deliveriesOf(one.client, one.hook);
  for (const path of [base, `${base}/deliveries`, `${webhooksPath(other.tenant.id)}/${one.hook.id}`])
    expect((await other.client.get(path)).status).toBe(404);
  expect(
    (await other.client.post(`${webhooksPath(other.tenant.id)}/${other.hook.id}/deliveries/${delivery?.id}/redeliver`))
      .status,
  ).toBe(404);
});

it('continues with the oldest entry when the feed no longer has the next one', async () => {
  const path = newPath();
  const { change, client, hook, tenant } = await setting(path);
  await change('one', 1);
  await client.get(`/v1/organizations/${tenant.id}/feed`);
  await query('UPDATE feed_positions SET oldest = newest + 1 WHERE organization_id = $1', [tenant.id]);
  await change('one', 2);
  await time.run(hook);
  expect(tiersAt(path)).toEqual([2]);
});

it('continues with new entries when the feed has fewer than it has sent, as after a restore', async () => {
  const path = newPath();
  const { change, hook } = await setting(path);
  await query('UPDATE webhooks SET cursor = 1000 WHERE id = $1', [hook.id]);
  for (const tier of [1, 2]) {
    await change('one', tier);
    await time.run(hook);
  }
  expect(tiersAt(path)).toEqual([2]);
});

it('forgets deliveries that ended 30 days ago', async () => {
  const path = newPath();
  const { change, client, hook } = await setting(path);
  await change('one', 1);
  await time.run(hook);
  const upkeep = api.app.get(WebhookUpkeep, { strict: false });
  time.advance(30 * DAY - 60);
  await upkeep.removeOld();
  expect(await deliveriesOf(client, hook)).toHaveLength(1);
  time.advance(120);
  await upkeep.removeOld();
  expect(await deliveriesOf(client, hook)).toEqual([]);
});

it('keeps waiting deliveries, however many newer ones have ended', async () => {
  const path = newPath();
  const { change, client, hook, tenant } = await setting(path);
  receiver.status(path, 500);
  await change('one', 1);
  await time.run(hook);
  receiver.status(path, 204);
  for (const tier of [1, 2]) await change('other', tier);
  await time.run(hook);
  const deliveries = api.app.get(WebhookDeliveriesRepository, { strict: false });
  const of = (id: number) => everything('a test').within(id);
  const foreign = of((await make.organization()).id);
  expect(await deliveries.removeEndedBefore(foreign, new Date(time.at(60)), 10)).toBe(0);
  expect(await deliveries.removeBeyond(of(tenant.id), 1, 10)).toBe(1);
  expect((await deliveriesOf(client, hook)).map(({ state }) => state)).toEqual(['waiting', 'delivered']);
});
