import { TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

let own: TargetServer;
/** A server of another organization. The operator allows its address, so that only the launch rule protects it. */
let other: TargetServer;
const addressOf = ({ port }: TargetServer): string => `127.0.0.1:${port}`;

beforeAll(async () => {
  own = await TargetServer.start({});
  other = await TargetServer.start({});
});
afterAll(() => Promise.all([own.stop(), other.stop()]));
beforeEach(() => {
  own.site = {};
  own.paths.length = 0;
});
/** No test may send a request to the other server. */
afterEach(() => expect(other.paths).toEqual([]));

const engine = {
  get EGRESS_ALLOW() {
    return `${addressOf(own)},${addressOf(other)}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(engine);
useWorker(engine);
const make = new Factories(api);

interface Fixture {
  readonly client: Client;
  readonly url: string;
  readonly assetId: number;
  readonly findings: string;
}

/** An organization whose server is in the scope of a running event. */
async function createFixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const url = `http://${addressOf(own)}/`;
  const { id: assetId } = await make.asset(tenant.id, { value: url, type: 'url' });
  const { slug } = await make.event(tenant.id, { status: 'running' });
  await client.post(`/v1/events/${slug}/scope/assets/`, { asset_id: assetId, in_scope: true });
  return { client, url, assetId, findings: `/v1/events/${slug}/findings/` };
}

const draft = { title: 'Tried', severity: 'low' };

const yamlCheck = (path: string, more = ''): string => `
id: tried
info: { name: Tried }
http:
  - path: [${JSON.stringify(path)}]
    ${more}
    matchers: [{ type: status, status: [200, 404] }]
`;

async function retested(client: Client, id: number): Promise<string> {
  const path = `/v1/findings/${id}/retest`;
  expect((await client.post(path)).status).toBe(202);
  await eventually(async () => expect((await client.get(path)).body.status).toBe('finished'));
  return (await client.get(path)).body.result;
}

describe('a server of another organization is never tested', () => {
  it.each([
    ['by its address', () => `http://${addressOf(other)}/`],
    ['with TLS', () => `https://${addressOf(other)}/`],
    ['as a user of theirs', () => `http://${addressOf(own)}@${addressOf(other)}/`],
    ['behind a backslash', () => `http://${addressOf(other)}\\@${addressOf(own)}/`],
    ['behind a line feed', () => `http://${addressOf(own)}\n.${addressOf(other)}/`],
    ['in another spelling', () => `http://0x7f000001:${other.port}/`],
    ['in IPv6', () => `http://[::ffff:127.0.0.1]:${other.port}/`],
  ])('through a job: %s', async (_how, urlOf) => {
    const { client } = await createFixture();
    const checked = await client.post('/v1/jobs/check', { url: urlOf() });
    expect(checked.status === 400 || checked.body.valid === false).toBe(true);
    expect([400, 422]).toContain((await client.post('/v1/jobs/launch', { url: urlOf() })).status);
  });

  it('through a check recorded on an asset of the caller or on none', async () => {
    const { client, assetId, findings } = await createFixture();
    const check = { id: 'missing-nosniff', location: `http://${addressOf(other)}/` };
    expect((await client.post(findings, { ...draft, asset_id: assetId, check })).status).toBe(409);
    const { id } = (await client.post(findings, { ...draft, asset_value: check.location, check })).body;
    const refused = await client.post(`/v1/findings/${id}/retest`);
    expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining('not among your assets')]);
    expect(
      await query('SELECT 1 FROM work WHERE kind = $1 AND reference LIKE $2', ['finding.baseline', `${id} %`]),
    ).toEqual([]);
  });

  it.each([
    ['an address', () => yamlCheck(`http://${addressOf(other)}/`)],
    ['an address without a scheme', () => yamlCheck(`//${addressOf(other)}/`)],
    ['a user', () => yamlCheck(`{{RootURL}}@${addressOf(other)}/`)],
    ['a longer name', () => yamlCheck(`{{RootURL}}.${addressOf(other)}/`)],
    ['another port', () => yamlCheck(`{{Scheme}}://{{Host}}:${other.port}/`)],
    ['a port behind', () => yamlCheck(`{{RootURL}}:${other.port}/`)],
    ['a line feed', () => yamlCheck(`{{BaseURL}}/\r\nHost: ${addressOf(other)}`)],
    ['a Host', () => yamlCheck('{{BaseURL}}/', `headers: { host: '${addressOf(other)}' }`)],
    ['a proxy', () => yamlCheck('{{BaseURL}}/', `headers: { Proxy-Authorization: x }`)],
    ['something for another client', () => yamlCheck('{{BaseURL}}/', `headers: { X-Forwarded-Host: a }`)],
    ['a method for proxies', () => yamlCheck('{{BaseURL}}/', 'method: CONNECT')],
  ])('through a YAML check that requests %s', async (_what, http) => {
    const { client, url, assetId, findings } = await createFixture();
    const check = { http: http(), location: url };
    expect((await client.post(findings, { ...draft, asset_id: assetId, check })).status).toBe(400);
  });

  it.each([
    ['two slashes', '{{BaseURL}}//HOST/', '//HOST/'],
    ['an at sign', '{{RootURL}}/@HOST/', '/@HOST/'],
    ['a URL as its path', '{{RootURL}}/http://HOST/', '/http://HOST/'],
    ['a way up', '{{BaseURL}}/../../HOST', '/../../HOST'],
  ])('through a YAML check with %s: every request goes to the asset', async (_what, path, asked) => {
    const { client, url, assetId, findings } = await createFixture();
    const there = (text: string): string => text.replace('HOST', addressOf(other));
    const http = yamlCheck(there(path), `headers: { X-Host: '${addressOf(other)}' }`);
    const { id } = (await client.post(findings, { ...draft, asset_id: assetId, check: { http, location: url } })).body;
    expect(await retested(client, id)).toBe('still_vulnerable');
    expect(own.paths).toContain(there(asked));
  });

  it.each([301, 302, 303, 307, 308])(
    'through a redirect with %i in a job or in a check that follows redirects',
    async (status) => {
      const { client, url, assetId, findings } = await createFixture();
      const location = `http://${addressOf(other)}/`;
      own.site = { answer: () => ({ status, headers: { location } }) };
      const { uuid } = (await client.post('/v1/jobs/launch', { url })).body;
      const http = yamlCheck('{{BaseURL}}/', 'redirects: true\n    host-redirects: true');
      const { id } = (await client.post(findings, { ...draft, asset_id: assetId, check: { http, location: url } }))
        .body;
      expect(await retested(client, id)).not.toBe('still_vulnerable');
      await eventually(async () =>
        expect(['FINISHED', 'ERROR']).toContain((await client.get(`/v1/jobs/${uuid}/status`)).body.status),
      );
      expect(own.paths.length).toBeGreaterThan(0);
    },
  );
});
