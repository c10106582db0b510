import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ReportFiles } from '../../src/modules/reports/report-files';
import { defaultReportOptions } from '../../src/modules/reports/domain/report-options';
import { Transactions } from '../../src/platform/database/transactions';
import { useApi } from '../support/api';
import { basic } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Person, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';
import { statementsOf } from '../support/statements';

const api = useApi({ AUTH_CACHE_SECONDS: '0' });
const portal = usePortal(api);
const make = new Factories(api);

/** Longer than any request may take without a question about its rights. */
const SLOW_MS = 1_200;

interface Reader {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly path: string;
}

type Loss = readonly [name: string, lose: (reader: Reader) => Promise<unknown>];

const REMOVED: Loss = [
  'is removed',
  ({ person }) => query('DELETE FROM memberships WHERE user_id = $1', [person.userId]),
];
const SIGNED_OUT: Loss = [
  'is signed out',
  ({ person }) => query('DELETE FROM sessions WHERE user_id = $1', [person.userId]),
];
const REVOKED: Loss = [
  'has its key revoked',
  ({ person }) => query('UPDATE api_keys SET revoked = now() WHERE user_id = $1', [person.userId]),
];
const DEMOTED: Loss = [
  'loses its role',
  ({ person }) => query("UPDATE memberships SET role = 'viewer' WHERE user_id = $1", [person.userId]),
];
const DELETED: Loss = [
  'loses the organization',
  ({ tenant }) => query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [tenant.id]),
];

/** Reads 64 KiB at a time with pauses. Returns whether the whole response arrived. */
async function isReadToEnd(port: number, head: string, afterFirst: () => Promise<unknown>): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(`${head}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'readable');
  const start = String(socket.read());
  expect(start).toMatch(/^HTTP\/1.1 200 /);
  const length = Number(/^content-length: (\d+)/im.exec(start)?.[1] ?? 0);
  let received = Buffer.byteLength(start);
  let end = start;
  await afterFirst();
  while (!socket.closed) {
    const part = socket.read() as Buffer | null;
    received += part?.length ?? 0;
    end = (end + (part?.toString('latin1') ?? '')).slice(-20);
    await delay(20);
  }
  await closed;
  return length > 0 ? received > length : end.endsWith('0\r\n\r\n');
}

const findings = async (tenant: Tenant): Promise<string> => {
  for (let index = 0; index < 25; index++) await make.finding(tenant.id, { md: 'A long text.' });
  await query('UPDATE findings SET html = $1 WHERE organization_id = $2', [`<p>${'ä'.repeat(400_000)}</p>`, tenant.id]);
  return `/o/${tenant.id}/findings/export?format=json`;
};

const auditLog = async (tenant: Tenant): Promise<string> => {
  await query(
    `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
       resource_type, resource_id, status, metadata)
     SELECT gen_random_uuid(), now(), $1, 'system', 'system', 'asset.change', 'asset', 'asset', '1', 'success',
       jsonb_build_object('name', repeat('x', 2000))
     FROM generate_series(1, 10000)`,
    [tenant.id],
  );
  return `/o/${tenant.id}/audit/export?format=ndjson`;
};

const report = async ({ id }: Tenant): Promise<string> => {
  const event = await make.event(id);
  const content = Buffer.alloc(16 * 1_048_576, 'x');
  const file = await api.app.get(Transactions).run(() => api.app.get(ReportFiles, { strict: false }).put(id, content));
  const [row] = await query<{ id: number }>(
    `INSERT INTO reports (organization_id, event_id, options, start_date, end_date, file_id, generation_date)
     VALUES ($1, $2, $3, now(), now(), $4, now()) RETURNING id`,
    [id, event.id, JSON.stringify({ ...defaultReportOptions, format: 'csv' }), file.id],
  );
  return `/v1/reports/${row?.id}/download`;
};

const portOf = (url: string): number => Number(new URL(url).port);

describe('a long response', () => {
  it.each([
    ['the findings', ...REMOVED, findings],
    ['the findings', ...SIGNED_OUT, findings],
    ['the findings', ...DELETED, findings],
    ['the audit log', ...REMOVED, auditLog],
    ['the audit log', ...DEMOTED, auditLog],
  ] as const)('(an export of %s) ends for a user who %s', async (_what, _name, lose, write) => {
    const tenant = await make.organization();
    const person = await tenant.as('admin');
    const path = await write(tenant);
    const browser = await signedInAs(api, portal, person);
    const head = `GET ${path} HTTP/1.1\r\nCookie: ${browser.cookieHeader}`;
    const isWhole = await isReadToEnd(portOf(portal.url), head, () => lose({ tenant, person, path }));
    expect(isWhole).toBe(false);
  });

  it('arrives whole for a user who keeps the rights', async () => {
    const tenant = await make.organization();
    const other = await make.organization();
    const person = await tenant.as('admin');
    await make.membership(person.userId, other.id, 'viewer');
    const path = await findings(tenant);
    const browser = await signedInAs(api, portal, person);
    const head = `GET ${path} HTTP/1.1\r\nCookie: ${browser.cookieHeader}`;
    const elsewhere = () => query('DELETE FROM memberships WHERE organization_id = $1', [other.id]);
    expect(await isReadToEnd(portOf(portal.url), head, elsewhere)).toBe(true);
  });

  it.each([REVOKED, REMOVED])('of the API (a report) ends for a user who %s', async (_name, lose) => {
    const tenant = await make.organization();
    const person = await tenant.as('viewer');
    const path = await report(tenant);
    const head = `GET ${path} HTTP/1.1\r\nAuthorization: ${basic(person.credentials)}`;
    expect(await isReadToEnd(api.port, head, () => lose({ tenant, person, path }))).toBe(false);
  });

  it('of the API (a report) ends for an integrator who deletes the organization', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const path = await report(tenant);
    const head = `GET ${path} HTTP/1.1\r\nAuthorization: ${basic(integrator.credentials)}`;
    const remove = () => integrator.client.delete(`/v1/organizations/${tenant.id}/`);
    expect(await isReadToEnd(api.port, head, remove)).toBe(false);
  });
});

interface SlowRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends the headers and a part of the body, and the rest more than a second later. */
async function statusOfSlow({ url, headers, body }: SlowRequest, meanwhile: () => Promise<unknown>): Promise<number> {
  const slow = httpRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  });
  const answered = once(slow, 'response');
  slow.write(body.slice(0, -10));
  await delay(SLOW_MS);
  await meanwhile();
  slow.end(body.slice(-10));
  const [response] = (await answered) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

const keeps = async (): Promise<void> => undefined;

describe('a change whose body arrives slowly', () => {
  async function comment(): Promise<Reader & { request: SlowRequest; count: () => Promise<number> }> {
    const tenant = await make.organization();
    const person = await tenant.as('member');
    const finding = await make.finding(tenant.id);
    const path = `/v1/findings/${finding.id}/comments/`;
    const headers = { authorization: basic(person.credentials), 'content-type': 'application/json' };
    const request = { url: api.url + path, headers, body: JSON.stringify({ comment: 'Written slowly.' }) };
    const count = async () => {
      const rows = await query(`SELECT 1 FROM finding_history WHERE finding_id = $1 AND is_comment`, [finding.id]);
      return rows.length;
    };
    return { tenant, person, path, request, count };
  }

  it.each([
    [...REVOKED, 401],
    [...REMOVED, 403],
    [...DEMOTED, 403],
  ] as const)('is refused with an audit entry for a user who %s meanwhile', async (_name, lose, status) => {
    const at = await comment();
    expect(await statusOfSlow(at.request, () => lose(at))).toBe(status);
    expect(await at.count()).toBe(0);
    const entries = await query(
      `SELECT status FROM audit_logs WHERE organization_id = $1 AND operation = 'finding.comment'`,
      [at.tenant.id],
    );
    expect(entries).toEqual([{ status: 'failure' }]);
  });

  it('is accepted from a user who keeps the rights', async () => {
    const at = await comment();
    expect(await statusOfSlow(at.request, keeps)).toBe(201);
    expect(await at.count()).toBe(1);
  });

  it('from a beacon is refused when it is deleted meanwhile', async () => {
    const tenant = await make.organization();
    const admin = await tenant.as('admin');
    const beacon = await make.beacon(tenant.id);
    const authorization = basic({ accessKey: String(beacon.id), secret: beacon.token });
    const request = {
      url: `${api.url}/v1/beacons/report`,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, interfaces: ['eth0'] }),
    };
    const remove = () => admin.client.delete(`/v1/organizations/${tenant.id}/beacons/${beacon.id}`);
    expect(await statusOfSlow(request, remove)).toBe(401);
  });

  it('from a form of the portal is refused for a user who is removed meanwhile', async () => {
    const at = await comment();
    const browser = await signedInAs(api, portal, at.person);
    const page = `/o/${at.tenant.id}${at.path.replace('/v1', '').replace('/comments/', '')}`;
    const request = formOf(browser, `${page}/comments`, await tokenOn(browser, page), '&comment=Written+slowly.');
    expect(await statusOfSlow(request, () => REMOVED[1](at))).toBe(404);
    expect(await at.count()).toBe(0);
  });
});

const tokenOn = async (browser: Browser, page: string): Promise<string> =>
  /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';

const formOf = (browser: Browser, path: string, token: string, fields: string): SlowRequest => ({
  url: portal.url + path,
  headers: {
    origin: portal.url,
    cookie: browser.cookieHeader,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: `csrf=${encodeURIComponent(token)}${fields}`,
});

describe('the upload of a file', () => {
  const file = 'title,severity,host\nA finding,high,example.com\n';

  const importsOf = ({ id }: Tenant) => query('SELECT 1 FROM imports WHERE organization_id = $1', [id]);

  it.each([
    [...REVOKED, 401],
    [...REMOVED, 403],
    [...DEMOTED, 403],
  ] as const)('is refused, and stores nothing, for a user who %s meanwhile', async (_name, lose, status) => {
    const tenant = await make.organization();
    const person = await tenant.as('member');
    const path = `/v1/organizations/${tenant.id}/imports/`;
    const headers = { authorization: basic(person.credentials), 'content-type': 'text/csv' };
    const request = { url: api.url + path, headers, body: file };
    expect(await statusOfSlow(request, () => lose({ tenant, person, path }))).toBe(status);
    await eventually(async () => expect(await importsOf(tenant)).toEqual([]));
  });

  it.each([
    [...SIGNED_OUT, 303],
    [...REMOVED, 404],
    [...DEMOTED, 403],
  ] as const)(
    'in the portal is refused, and stores nothing, for a user who %s meanwhile',
    async (_name, lose, status) => {
      const tenant = await make.organization();
      const person = await tenant.as('member');
      const browser = await signedInAs(api, portal, person);
      const path = `/o/${tenant.id}/imports`;
      const body = [
        '--b\r\nContent-Disposition: form-data; name="csrf"\r\n',
        await tokenOn(browser, path),
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n',
        `${file}\r\n--b--\r\n`,
      ].join('\r\n');
      const headers = { ...formOf(browser, path, '', '').headers, 'content-type': 'multipart/form-data; boundary=b' };
      const request = { url: portal.url + path, headers, body };
      expect(await statusOfSlow(request, () => lose({ tenant, person, path }))).toBe(status);
      await eventually(async () => expect(await importsOf(tenant)).toEqual([]));
    },
  );
});

it('a request that arrives at once is authenticated once', async () => {
  const tenant = await make.organization();
  const person = await tenant.as('member');
  const finding = await make.finding(tenant.id);
  const browser = await signedInAs(api, portal, person);
  const page = `/o/${tenant.id}/findings/${finding.id}`;
  const token = await tokenOn(browser, page);
  const questions = async (work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter(({ text }) => text.includes('s.token_hash =')).length;
  expect(await questions(() => browser.get(page))).toBe(1);
  const { cookieHeader } = browser;
  expect(cookieHeader).not.toBe('');
  expect(await questions(() => browser.post(`${page}/comments`, { csrf: token, comment: 'At once.' }))).toBe(1);
  expect(await questions(() => browser.get(`/o/${tenant.id}/findings/export?format=json`))).toBe(1);
});
