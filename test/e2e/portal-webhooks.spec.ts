import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const browserOf = async (tenant: Tenant, role: Parameters<Tenant['as']>[0]): Promise<Browser> =>
  signedInAs(api, portal, await tenant.as(role));

const plain = (html: string): string =>
  html
    .replace(/<style[^]*?<\/style>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const fields = {
  name: 'Tickets',
  url: 'https://hooks.example.com/assay',
  types: 'finding, retest.changed',
  severity: 'high',
  labels: 'Shop',
  event: '',
  confirmed: 'true',
  signature: 'hmac',
};

async function fixture() {
  const tenant = await make.organization();
  return { tenant, base: `/o/${tenant.id}/webhooks`, browser: await browserOf(tenant, 'admin') };
}

async function created(browser: Browser, base: string): Promise<{ text: string; one: string; id: number }> {
  const answer = await browser.submit(`${base}/new`, base, fields);
  expect(answer.status).toBe(200);
  const [row] = await query<{ id: number }>('SELECT max(id) AS id FROM webhooks WHERE organization_id = $1', [
    Number(base.split('/')[2]),
  ]);
  return { text: answer.text, one: `${base}/${row?.id}`, id: row?.id ?? 0 };
}

describe('the pages of webhooks', () => {
  it('show the secret once, the filter in words, and the webhook in the list', async () => {
    const { base, browser } = await fixture();
    expect(plain((await browser.get(base)).text)).toContain('No webhooks yet');
    const { text, one } = await created(browser, base);
    expect(text).toMatch(/whsec_[\w+/]{43}=/);
    const page = await browser.get(one);
    expect(page.text).not.toContain('whsec_');
    expect(plain(page.text)).toContain(
      'changes of finding, retest.changed; high and above; labeled shop; confirmed only',
    );
    expect(plain((await browser.get(base)).text)).toContain('Tickets hooks.example.com changes of finding');
  });

  it('show deliveries with their results, and send them again', async () => {
    const { tenant, base, browser } = await fixture();
    const { one, id } = await created(browser, base);
    expect((await browser.submit(one, `${one}/test`)).status).toBe(303);
    await query(
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, message_id, position, type, record, state, attempts, status_code,
         error, ms, created, ended)
       VALUES ($1, $2, gen_random_uuid(), 1, 'finding.changed', 'finding 7', 'delivered', 1, 204, NULL, 31, now(), now()),
         ($1, $2, gen_random_uuid(), 2, 'finding.created', 'finding 8', 'failed', 16, NULL, 'timeout', 10000, now(), now())`,
      [tenant.id, id],
    );
    const text = plain((await browser.get(one)).text);
    expect(text).toContain('webhook.test Waiting Not sent yet');
    expect(text).toContain('finding.changed finding 7 Delivered HTTP 204 in 31 ms');
    expect(text).toContain('Timeout, attempt 16');
    expect(text).toContain('The newest attempt failed. No complete answer within 10 seconds.');
    const failed = await browser.get(`${one}?state=failed`);
    expect(plain(failed.text)).not.toContain('finding 7');
    const action = new RegExp(`${one}/deliveries/[0-9a-f-]{36}`).exec(failed.text)?.[0] ?? '';
    expect((await browser.submit(`${one}?state=failed`, action)).status).toBe(303);
    expect((await browser.submit(one, `${one}/redeliver`, { from: '2026-01-01', to: '', state: '' })).status).toBe(303);
    expect(plain((await browser.get(`${one}?state=delivered`)).text)).toContain('Nothing here.');
  });

  it('change, pause, resume, rotate and delete a webhook', async () => {
    const { base, browser } = await fixture();
    const { one } = await created(browser, base);
    expect((await browser.submit(one, one, { ...fields, name: 'Chat', types: '' })).status).toBe(303);
    expect(plain((await browser.get(one)).text)).toContain('all changes; high and above');
    const boxes = (page: { text: string }) =>
      [...page.text.matchAll(/name="types" value="([\w.]+)" checked/g)].map(([, value]) => value);
    expect(boxes(await browser.get(one))).toEqual([]);
    const chosen = ['job', 'finding', 'retest.changed'].map((type): [string, string] => ['types', type]);
    const others = Object.entries(fields).filter(([name]) => name !== 'types');
    expect((await browser.submit(one, one, [...others, ...chosen])).status).toBe(303);
    expect(boxes(await browser.get(one))).toEqual(['finding', 'job', 'retest.changed']);
    const unnamed = await browser.submit(one, one, [...others.filter(([name]) => name !== 'name'), ...chosen]);
    expect([unnamed.status, boxes(unnamed)]).toEqual([400, ['finding', 'job', 'retest.changed']]);
    const refused = await browser.submit(one, one, { ...fields, types: 'weather' });
    expect(plain(refused.text)).toContain('Changes of must be kinds of records or types of entries');
    await browser.submit(one, `${one}/pause`);
    expect(plain((await browser.get(one)).text)).toContain('An admin has paused it.');
    await browser.submit(one, `${one}/resume`);
    const rotated = await browser.submit(one, `${one}/secret`, { overlap_hours: '24' });
    expect(rotated.text).toMatch(/whsec_[\w+/]{43}=/);
    expect((await browser.submit(one, `${one}/delete`)).headers.get('location')).toContain(base);
  });

  it('say on the home page of admins that the service has paused one', async () => {
    const { tenant, base, browser } = await fixture();
    const { id } = await created(browser, base);
    await query(`UPDATE webhooks SET state = 'paused', pause_reason = 'failing' WHERE id = $1`, [id]);
    expect(plain((await browser.get(`/o/${tenant.id}`)).text)).toContain(
      'Paused webhooks 1 Tickets Its receiver has not accepted a message for 3 days.',
    );
    const member = await browserOf(tenant, 'member');
    expect(plain((await member.get(`/o/${tenant.id}`)).text)).not.toContain('Paused webhooks');
    expect((await member.get(base)).status).toBe(403);
    expect((await member.get(`/o/${tenant.id}`)).text).not.toContain(`href="${base}"`);
  });
});
