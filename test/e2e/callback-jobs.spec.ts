import { randomBytes } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Listener } from '../../src/apps/callbacks/listener';
import { Recorder } from '../../src/apps/callbacks/recorder';
import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query, queryOnce, testDatabase } from '../support/database';
import { Factories } from '../support/factories';
import { runJob } from '../support/jobs';
import { requestRetest, untilFinished } from '../support/retests';

const DOMAIN = 'calls.example.com';
const KEY = randomBytes(32);

const recorder = new Recorder(
  async ({ name, protocol, source }) => {
    const { ownerUrl } = await testDatabase();
    await queryOnce(ownerUrl, 'SELECT listener.record_callback($1, $2, $3)', [name, protocol, source]);
    return true;
  },
  () => undefined,
);
const listener = new Listener(
  {
    domain: DOMAIN,
    key: KEY,
    addresses: ['127.0.0.1'],
    host: '127.0.0.1',
    ports: { dns: 0, http: 0, https: 0 },
    certificate: null,
  },
  (call) => recorder.add(call),
  () => undefined,
);

/** What the resolver of the target knows: each name below the domain is the listener. */
let listenerPort = 0;
const fetchUrl = (url: string): void => {
  const to = URL.canParse(url) ? new URL(url) : null;
  if (to === null || !to.hostname.endsWith(DOMAIN)) return;
  request({ host: '127.0.0.1', port: listenerPort, path: to.pathname, headers: { host: to.host } })
    .on('error', () => undefined)
    .end();
};

let proof: { path: string; content: string } | null = null;
const page = (content: string): string =>
  `<!doctype html><html><head><title>Shop</title></head><body><h1>Shop</h1>${content}</body></html>`;

/** `/fetch` requests the address, and `/link` shows it to a link checker that opens each address of a page. */
const target: Server = createServer((asked, answer) => {
  const { pathname, searchParams } = new URL(asked.url ?? '/', 'http://target.test');
  const send = (status: number, text: string): void => {
    answer.writeHead(status, { 'Content-Type': 'text/html' }).end(text);
  };
  if (proof !== null && pathname === proof.path) return send(200, proof.content);
  if (pathname === '/') return send(200, page('<a href="/fetch?url=x">Preview</a> <a href="/link?to=y">Link</a>'));
  if (pathname === '/fetch') {
    const url = searchParams.get('url') ?? '';
    fetchUrl(url);
    return send(200, page('<p>Loaded</p>'));
  }
  if (pathname === '/link') {
    const to = searchParams.get('to') ?? '';
    for (const [url] of to.matchAll(/(?:https?:)?\/\/[\w.]+\//g)) fetchUrl(url.startsWith('/') ? `http:${url}` : url);
    return send(200, page(`<p><a href="${to.replaceAll('"', '')}">More</a></p>`));
  }
  return send(404, page('<p>Nothing is here</p>'));
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${(target.address() as AddressInfo).port}`;
  },
  CALLBACK_DOMAIN: DOMAIN,
  CALLBACK_KEY: KEY.toString('base64'),
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};

beforeAll(async () => {
  await new Promise<void>((done) => target.listen(0, '127.0.0.1', done));
  listenerPort = (await listener.start()).http ?? 0;
});
afterAll(async () => {
  await listener.stop();
  target.closeAllConnections();
  target.close();
});

const api = useApi(settings);
useWorker(settings);
const make = new Factories(api);
const SSRF = 'server-side-request-forgery';

async function retest(client: Client, id: number): Promise<{ result: string; reason: string }> {
  const path = `/v1/findings/${id}/retest`;
  await untilFinished(await requestRetest({ client, path }));
  return (await client.get(path)).body;
}

interface Row {
  readonly id: number;
  readonly location: string;
  readonly check: string;
}

async function createFixture(): Promise<{ client: Client; url: string; findings: () => Promise<Row[]> }> {
  const tenant = await make.organization();
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const { id } = await make.asset(tenant.id, { value: url, type: 'url' });
  const admin = await tenant.as('admin');
  const changed = await admin.client.patch(`/v1/assets/${id}`, { active_tests: 'read_only' });
  const { proof_file: file } = changed.body;
  proof = { path: file.path, content: `${file.body}\n` };
  const findings = (): Promise<Row[]> =>
    query(
      `SELECT id, check_definition ->> 'location' AS location, check_id AS check
       FROM findings WHERE organization_id = $1 ORDER BY id`,
      [tenant.id],
    );
  return { client: admin.client, url, findings };
}

it('finds a server-side request forgery by its calls, and not what a link checker opens', async () => {
  const { client, url, findings } = await createFixture();
  const checks = [SSRF, 'dns-lookup-of-input'];
  const uuid = await runJob(client, url, { depth: 'active', checks });
  expect(await findings()).toEqual([{ id: expect.any(Number), location: `${url}fetch?url`, check: SSRF }]);
  const [{ id } = { id: 0 }] = await findings();
  const [{ experiment } = { experiment: null }] = await query<{ experiment: object | null }>(
    `SELECT baseline -> 'experiment' AS experiment FROM finding_baselines WHERE finding_id = $1`,
    [id],
  );
  expect(experiment).toMatchObject({
    variant: 'callback-url',
    certainty: expect.stringMatching(/http from 127\.0\.0\.1 after \d+\.\d s.*None of 6 names/),
  });
  const { job } = (await client.get(`/v1/jobs/${uuid}`)).body;
  expect(job.status).toBe('FINISHED');
  expect(await retest(client, id)).toMatchObject({ result: 'still_vulnerable' });
}, 180_000);
