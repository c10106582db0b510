import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type FormSite, type Posted, servedBy } from '../../src/engine/testing/form-site';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { Factories, type Tenant } from '../support/factories';
import { runJob } from '../support/jobs';
import { signedInAs, usePortal } from '../support/portal';

/** What a shop would do for good: none of it may happen. */
const traps = { mails: 0, payments: 0, orders: 0, removals: 0, subscribers: 0 };
const guestbook: string[] = [];
let received: Posted[] = [];
let isFixed = false;
let proofFile: { readonly path: string; readonly body: string } | null = null;

const html = (body: string): string =>
  `<!doctype html><html><head><title>Shop</title></head><body>${body}</body></html>`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const form = (action: string, fields: string, button: string): string =>
  `<form method="post" action="${action}">${fields}<button>${button}</button></form>`;

const HOME = html(`<a href="/guestbook">Guestbook</a> <a href="/products">Products</a>
  ${form('/find', '<input name="q">', 'Search')} ${form('/contact', '<input name="text">', 'Write to us')}
  ${form('/cart', '<input name="n">', 'Checkout')} ${form('/pay', '<input name="card_number">', 'OK')}
  ${form('/profile', '<input type="hidden" name="do" value="remove-account"><input name="why">', 'OK')}
  ${form('/news', '<input type="email" name="email">', 'Subscribe')}`);

const TRAPS: Readonly<Record<string, keyof typeof traps>> = {
  '/contact': 'mails',
  '/cart': 'orders',
  '/pay': 'payments',
  '/profile': 'removals',
  '/news': 'subscribers',
};

const shop: FormSite = ({ method, path, fields }) => {
  if (path === proofFile?.path) return `${proofFile.body}\n`;
  if (path === '/') return HOME;
  if (path === '/products') return html('<p>Tea</p>');
  const trap = TRAPS[path];
  if (method !== 'GET' && trap !== undefined) {
    traps[trap] += 1;
    return html('Done');
  }
  if (path === '/find' && method === 'POST')
    return html(`<p>You searched for ${isFixed ? escaped(fields['q'] ?? '') : (fields['q'] ?? '')}</p>`);
  if (path !== '/guestbook') return null;
  if (method === 'POST') {
    guestbook.push(fields['entry'] ?? '');
    return { status: 303, headers: { location: '/guestbook' } };
  }
  const entries = guestbook.slice(-20).map((entry) => `<p>${escaped(entry)}</p>`);
  return html(`${form('/guestbook', '<textarea name="entry"></textarea>', 'Save')}${entries.join('')}`);
};

const answer = servedBy(shop, (one) => received.push(one));
const server = createServer((request, response) => void answer(request, response, {} as Socket));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  received = [];
  isFixed = false;
});
const port = (): number => (server.address() as AddressInfo).port;

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${port()}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
useWorker(settings);
const portal = usePortal(api);
const make = new Factories(api);
const ACTIVE = { depth: 'active', checks: ['reflected-input'] };

interface Fixture {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly admin: Client;
  readonly url: string;
  readonly asset: string;
}

async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('member');
  const { client: admin } = await tenant.as('admin');
  const url = `http://127.0.0.1:${port()}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const asset = `/v1/assets/${id}`;
  const changed = await admin.patch(asset, { active_tests: 'full', confirm_full: url });
  expect(changed.status).toBe(200);
  proofFile = changed.body.proof_file;
  return { tenant, client, admin, url, asset };
}

/** Without the queries for the schema of GraphQL, which change nothing. */
const posts = (): string[] => {
  const sent = received.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/graphql'));
  return [...new Set(sent.map(({ path }) => path))].sort();
};

it('a job with full finds a weakness in a form, touches no trap, and lists what it wrote', async () => {
  const { tenant, client, url } = await createFixture();
  const uuid = await runJob(client, url, ACTIVE);
  const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100&status=1`)).body;
  expect(findings.map(({ title }: { title: string }) => title)).toContain('Reflected XSS in the form field q');
  expect(traps).toEqual({ mails: 0, payments: 0, orders: 0, removals: 0, subscribers: 0 });
  expect(posts()).toEqual(['/find', '/guestbook']);

  const { written } = (await client.get(`/v1/jobs/${uuid}/written`)).body;
  expect(written.map(({ path }: { path: string }) => path).sort()).toEqual(posts());
  const book = written.find(({ path }: { path: string }) => path === '/guestbook');
  expect(book).toMatchObject({ method: 'POST', submissions: guestbook.length, shown_at: ['/guestbook'], deleted: 0 });
  expect(guestbook[0]).toBe(book.mark);

  const leftOut = (await client.get(`/v1/jobs/${uuid}/left-out?per_page=100`)).body.left_out;
  for (const path of Object.keys(TRAPS))
    expect(leftOut).toContainEqual(expect.objectContaining({ path, allowable: false }));
  const { points } = (await client.get(`/v1/jobs/${uuid}/points?per_page=100`)).body;
  expect(points).toContainEqual(expect.objectContaining({ method: 'POST', path: '/find', kind: 'form', name: 'q' }));

  const browser = await signedInAs(api, portal, await tenant.as('member'));
  expect((await browser.get(`/o/${tenant.id}/scans/${uuid}/written`)).text).toContain(book.mark);
  expect((await browser.get(`/o/${tenant.id}/scans/${uuid}`)).text).toContain(`/scans/${uuid}/written`);
});

it('the weakness in a form is confirmed as fixed by the next job, and read_only sends no form', async () => {
  const { tenant, client, admin, url, asset } = await createFixture();
  const open = async (): Promise<string[]> =>
    (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100&status=1`)).body.findings.map(
      ({ title }: { title: string }) => title,
    );
  await runJob(client, url, ACTIVE);
  expect(await open()).toContain('Reflected XSS in the form field q');

  await admin.patch(asset, { active_tests: 'read_only' });
  received = [];
  isFixed = true;
  const uuid = await runJob(client, url, ACTIVE);
  expect(posts()).toEqual([]);
  expect((await client.get(`/v1/jobs/${uuid}/written`)).body.written).toEqual([]);
  expect(await open()).toContain('Reflected XSS in the form field q');
  const { findings } = (await client.get(`/v1/organizations/${tenant.id}/findings/?per_page=100&status=1`)).body;
  const { id } = findings.find(({ title }: { title: string }) => title === 'Reflected XSS in the form field q');
  const refused = await client.post(`/v1/findings/${id}/retest`);
  expect(refused.status).toBe(409);
  expect(refused.body.description).toContain('Active tests with full are not allowed');

  await admin.patch(asset, { active_tests: 'full', confirm_full: url });
  await runJob(client, url, ACTIVE);
  expect(await open()).not.toContain('Reflected XSS in the form field q');
});
