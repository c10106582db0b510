import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebhookSecrets } from '../../src/modules/webhooks';
import type { Webhook } from '../../src/modules/webhooks/data/webhook.entity';
import { WebhooksRepository } from '../../src/modules/webhooks/data/webhooks.repository';
import { signedHeaders } from '../../src/modules/webhooks/domain/signing';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { startProcess } from '../support/processes';
import { createWebhook, type WebhookBody, webhooksPath } from '../support/webhooks';

const api = useApi();
const make = new Factories(api);

const URL_OF_RECEIVER = 'https://hooks.example.com/assay?token=s3cret';

async function setting() {
  const tenant = await make.organization();
  const { client, userId } = await tenant.as('admin');
  return { tenant, client, userId, base: webhooksPath(tenant.id) };
}

describe('a webhook', () => {
  it('keeps its secret out of the answer that is stored for a repeated request', async () => {
    const { client, base } = await setting();
    const repeated = async (path: string, body?: object) => {
      const headers = { 'idempotency-key': 'secret' };
      await client.post(path, body, headers);
      const again = await client.post(path, body, headers);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      return again.body;
    };
    const created = await repeated(base, { name: 'Tickets', url: URL_OF_RECEIVER });
    expect([created.secret, (await repeated(`${base}/${created.id}/secret`)).secret]).toEqual([null, null]);
    expect(await query("SELECT FROM idempotency_keys WHERE body ->> 'secret' LIKE 'whsec%'")).toEqual([]);
  });

  it('is created with the filters of the feed, and its secret is shown once', async () => {
    const { tenant, client, userId, base } = await setting();
    const { id: eventId } = await make.event(tenant.id);
    const filter = {
      types: ['finding', 'retest.changed'],
      severity: 'high',
      statuses: ['3', 'finished'],
      events: [eventId],
      labels: ['Shop', 'production'],
      confirmed: true,
    };
    const created = await client.post(base, { name: 'Tickets', url: URL_OF_RECEIVER, ...filter });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toContain(`${base}/${created.body.id}`);
    expect(created.body.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { secret: _secret, ...shown } = created.body;
    const { body } = await client.get(`${base}/${created.body.id}`);
    expect(body).toEqual(shown);
    expect(body).toMatchObject({ ...filter, labels: ['production', 'shop'], state: 'active', maker_id: userId });
    expect((await client.get(base)).body).toEqual({ webhooks: [shown] });
    const [row] = await query<{ sealed: Buffer }>('SELECT sealed FROM webhooks WHERE id = $1', [body.id]);
    expect(row?.sealed.toString('latin1')).not.toContain(created.body.secret.slice(6));
    const log = (await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&operation=webhook.create`)).text;
    expect(log).toContain('hooks.example.com');
    expect(log).not.toContain('s3cret');
    expect(log).not.toContain(created.body.secret);
  });

  it('leaves no credential of a refused URL in the audit log', async () => {
    const { tenant, client, base } = await setting();
    const answer = await client.post(base, { name: 'One', url: 'https://user:s3cr3t@hooks.example.com/' });
    expect(answer.status).toBe(400);
    const log = (await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&operation=webhook.create`)).text;
    expect(log).toContain('"hooks.example.com"');
    expect(log).not.toContain('s3cr3t');
  });

  it('is refused, as a channel is, with an event of another organization or of none', async () => {
    const { tenant, client, base } = await setting();
    const own = await make.event(tenant.id);
    const foreign = await make.event((await make.organization()).id);
    const channels = `/v1/organizations/${tenant.id}/channels`;
    const slack = { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/X' };
    for (const [list, draft] of [
      [base, { name: 'One', url: URL_OF_RECEIVER }],
      [channels, { name: 'One', ...slack }],
    ] as const) {
      const created = await client.post(list, { ...draft, events: [own.id] });
      expect(created.status).toBe(201);
      for (const id of [foreign.id, 2_147_483_647]) {
        const refusal = { code: 422, description: `events: ${id} is not the id of an event of the organization.` };
        expect((await client.post(list, { ...draft, events: [own.id, id] })).body).toMatchObject(refusal);
        expect((await client.patch(`${list}/${created.body.id}`, { events: [id] })).body).toMatchObject(refusal);
      }
      expect((await client.get(`${list}/${created.body.id}`)).body.events).toEqual([own.id]);
    }
  });

  it('changes only in the fields that are sent, and never in its signature', async () => {
    const { tenant, client, base } = await setting();
    const hook = await createWebhook(client, tenant.id, { url: URL_OF_RECEIVER, types: ['finding'], severity: 'high' });
    const one = `${base}/${hook.id}`;
    expect((await client.patch(one, { name: 'Other' })).body).toMatchObject({
      name: 'Other',
      types: ['finding'],
      severity: 'high',
    });
    expect((await client.patch(one, { severity: null })).body.severity).toBeNull();
    expect((await client.patch(one, { state: 'paused' })).body).toMatchObject({
      state: 'paused',
      pause_reason: 'admin',
    });
    expect((await client.patch(one, { state: 'active' })).body).toMatchObject({ state: 'active', pause_reason: null });
    expect((await client.patch(one, { signature: 'ed25519' })).status).toBe(400);
    expect((await client.delete(one)).status).toBe(200);
    expect((await client.get(one)).status).toBe(404);
  });

  it.each([
    [
      { url: 'https://127.0.0.1/' },
      'url must lead to a public address. Ask the operator to add this one to WEBHOOK_ALLOW',
    ],
    [{ url: 'https://169.254.169.254/' }, 'url must lead to a public address.'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url must lead to a public address.'],
    [{ url: 'http://hooks.example.com/' }, 'url must begin with https://'],
    [{ url: 'https://a:b@hooks.example.com/' }, 'it has user information'],
    [{ url: 'file:///etc/passwd' }, 'url must be an http or https URL'],
    [{ types: ['weather'] }, 'types must be a list of 0 to 50'],
    [{ statuses: ['a b'] }, 'statuses must be a list of 0 to 50'],
    [{ events: [0] }, 'events must be a list of 0 to 50'],
    [{ secret: 'whsec_mine' }, 'secret'],
  ])('is refused with %j, saying what to do', async (fields, reason) => {
    const { tenant, client, base } = await setting();
    const refusal = { code: 400, description: expect.stringContaining(reason) as string };
    const url = URL_OF_RECEIVER;
    expect((await client.post(base, { name: 'W', url, ...fields })).body).toMatchObject(refusal);
    const { id } = await createWebhook(client, tenant.id, { url });
    expect((await client.patch(`${base}/${id}`, fields)).body).toMatchObject(refusal);
    expect((await client.get(base)).body).toMatchObject({ webhooks: [{ id, url }] });
  });

  it('is one of at most 20, also when twenty-five are created at once', async () => {
    const { client, base } = await setting();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => client.post(base, { name: 'W', url: URL_OF_RECEIVER })),
    );
    const statuses = answers.map(({ status }) => status);
    expect([201, 422].map((status) => statuses.filter((one) => one === status).length)).toEqual([20, 5]);
  });

  it('keeps its new secret when SECRET_KEY is rotated at the same time', async () => {
    const { tenant, client, base } = await setting();
    const hook = await createWebhook(client, tenant.id, { url: URL_OF_RECEIVER });
    const [before] = await query<Pick<Webhook, 'id' | 'sealed'>>('SELECT id, sealed FROM webhooks WHERE id = $1', [
      hook.id,
    ]);
    const rotated = (await client.post(`${base}/${hook.id}/secret`, { overlap_hours: 0 })).body as WebhookBody;
    expect(rotated.secret).not.toBe(hook.secret);
    expect(rotated).toMatchObject({ previous_secret_until: null });
    expect((await client.post(`${base}/${hook.id}/secret`, { overlap_hours: 169 })).status).toBe(400);
    const webhooks = api.app.get(WebhooksRepository, { strict: false });
    // A rotation of SECRET_KEY that has read it before.
    expect(before && (await webhooks.reencrypt(before, before.sealed))).toBe(false);
  });
});

describe('the list of deliveries', () => {
  it('has filters, and positions in its links', async () => {
    const { tenant, client, base } = await setting();
    const hook = await createWebhook(client, tenant.id, { url: URL_OF_RECEIVER });
    await query(
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, message_id, position, type, record, state, created, ended)
       SELECT $1, $2, gen_random_uuid(), n, CASE WHEN n % 2 = 0 THEN 'finding.changed' ELSE 'asset.created' END, 'asset 1',
         CASE WHEN n % 3 = 0 THEN 'failed' ELSE 'delivered' END, timestamptz '2026-01-01Z' + n * interval '1 day', now()
       FROM generate_series(1, 9) n`,
      [tenant.id, hook.id],
    );
    const positions = async (search: string): Promise<number[]> => {
      const { body } = await client.get(`${base}/${hook.id}/deliveries?${search}`);
      return (body.deliveries as { position: number }[]).map(({ position }) => position);
    };
    expect(await positions('state=failed')).toEqual([9, 6, 3]);
    expect(await positions('type=finding')).toEqual([8, 6, 4, 2]);
    expect(await positions('type=asset.created&state=delivered')).toEqual([7, 5, 1]);
    expect(await positions('from=2026-01-04&to=2026-01-06')).toEqual([5, 4, 3]);
    const first = await client.get(`${base}/${hook.id}/deliveries?per_page=4`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain('after=');
    expect((await client.get(next.replace(api.url, ''))).body.deliveries).toHaveLength(4);
  });
});

describe('examples/webhook-receiver.mjs', () => {
  it.each(['hmac', 'ed25519'])('accepts messages that are signed with %s once, and no others', async (signature) => {
    const { tenant, client } = await setting();
    const hook = await createWebhook(client, tenant.id, { url: URL_OF_RECEIVER, signature });
    const [row] = await query<{ sealed: Buffer }>('SELECT sealed FROM webhooks WHERE id = $1', [hook.id]);
    const { current } = api.app.get(WebhookSecrets).read({ sealed: row?.sealed ?? Buffer.alloc(0) });
    const WEBHOOK_KEY = hook.public_key ?? hook.secret ?? '';
    const child = spawn(process.execPath, [join(__dirname, '../../examples/webhook-receiver.mjs')], {
      env: { ...process.env, WEBHOOK_KEY, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines: string[] = [];
      const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
      await once(output, 'line');
      const port = /port (\d+)/.exec(lines[0] ?? '')?.[1];
      const send = async (headers: Record<string, string>, body: string): Promise<number> =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      const message = { id: 'one', timestamp: new Date(), body: '{"type":"finding.changed"}' };
      const headers = signedHeaders([current], message);
      expect(await send(headers, message.body)).toBe(204);
      expect(await send(headers, message.body)).toBe(204);
      expect(await send(headers, '{"type":"finding.deleted"}')).toBe(401);
      expect(await send({ ...headers, 'webhook-id': 'two' }, message.body)).toBe(401);
      expect(await send({}, message.body)).toBe(401);
      const old = signedHeaders([current], { ...message, timestamp: new Date(Date.now() - 600_000) });
      expect(await send(old, message.body)).toBe(401);
      expect(lines.slice(1)).toEqual(['one {"type":"finding.changed"}']);
    } finally {
      child.kill();
    }
  });
});

it('a process does not start when WEBHOOK_ALLOW names an organization that does not exist', async () => {
  await expect(startProcess('worker', { WEBHOOK_ALLOW: '2147483647@10.20.0.5:443' })).rejects.toThrow(
    'WEBHOOK_ALLOW contains 2147483647@10.20.0.5:443, but there is no organization 2147483647',
  );
});
