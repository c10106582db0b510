import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { MetricsServer } from '../../src/platform/metrics/metrics-server';
import { HEALTH_NOTICE_MS, IDLE_NOTICE_MS } from '../../src/platform/http/connection-drain';
import { type RunningApi, startApi, useApi } from '../support/api';
import { type Credentials, basic } from '../support/client';
import { eventually } from '../support/eventually';
import { Factories, type Person, unique } from '../support/factories';
import {
  type DocumentedGateway,
  type GatewayName,
  installedGateways,
  startDocumentedGateway,
  type Upstreams,
} from '../support/gateways';
import { scrape, valueOf } from '../support/metrics';
import { usePortal } from '../support/portal';

/** The address from which the gateways connect, and one of clients. */
const settings = { TRUSTED_PROXIES: '127.0.0.1', METRICS_PORT: '0' };
const CLIENT = '127.0.0.5';
const FORGED = '198.51.100.66';

const api = useApi(settings);
/** It sends HSTS itself, and browsers must get it once. */
const portal = usePortal(api, { ...settings, PORTAL_URL: 'https://assay.example.com' });
const make = new Factories(api);
let second: RunningApi;
let caller: Person;
let metricsUrls: string[];

beforeAll(async () => {
  second = await startApi(settings);
  caller = await make.integrator();
  metricsUrls = [];
  for (const { app } of [api, second]) metricsUrls.push((await app.get(MetricsServer).start()) ?? '');
});
afterAll(() => second.app.close());

const portOf = (url: string): number => Number(new URL(url).port);
const hostOf = (url: string): string => new URL(url).host;

const upstreams = (): Upstreams => {
  const [{ host: first }, { host: other }, { host: pages }] = [
    new URL(api.url),
    new URL(second.url),
    new URL(portal.url),
  ];
  return { api: [first, other], portal: [pages, pages] };
};
const start = (name: GatewayName, change?: (text: string) => string): Promise<DocumentedGateway> =>
  startDocumentedGateway(name, upstreams(), change);

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** A request from the address of a client. Unlike `fetch`, it may set every header. */
const send = (
  port: number,
  method: string,
  path: string,
  { headers = {}, body, from = CLIENT }: { headers?: Record<string, string>; body?: unknown; from?: string } = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const own = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) };
    const options = { port, host: '127.0.0.1', localAddress: from, method, path, headers: { ...own, ...headers } };
    const request = httpRequest({ ...options, agent: false }, (response) => {
      let received = '';
      response.on('data', (chunk: Buffer) => (received += chunk.toString()));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
      );
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end(text);
  });

const authorized = (credentials: Credentials, headers: Record<string, string> = {}): Record<string, string> => ({
  authorization: basic(credentials),
  ...headers,
});

/** Creates an organization, and returns the address in its audit entry. */
async function auditedAddress(port: number, headers: Record<string, string>, from = CLIENT): Promise<string> {
  const name = unique('Audited');
  const created = await send(port, 'POST', '/v1/organizations/', {
    headers: authorized(caller.credentials, headers),
    body: { name },
    from,
  });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { id } = JSON.parse(created.text) as { id: number };
  const log = await caller.client.get(`/v1/audit-logs/?organization_id=${id}`);
  expect(log.body.total).toBe(1);
  return log.body.audit_logs[0].metadata.ip as string;
}

/** Sends bytes, and returns what arrives until the connection closes or nothing more arrives. */
const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: CLIENT });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(text));
    socket.setTimeout(250, () => socket.destroy());
    socket.write(bytes, 'latin1');
  });

const AMBIGUOUS: readonly [name: string, headers: string, body: string][] = [
  ['a length and chunks', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', '0\r\n\r\n'],
  ['two lengths', 'Content-Length: 0\r\nContent-Length: 44\r\n', ''],
  ['a list of lengths', 'Content-Length: 0, 44\r\n', ''],
  ['a length with a sign', 'Content-Length: +0\r\n', ''],
  ['a space before the colon', 'Transfer-Encoding : chunked\r\nContent-Length: 0\r\n', '0\r\n\r\n'],
  ['an unknown encoding', 'Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n', '0\r\n\r\n'],
  ['chunks that are not the last encoding', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
  ['two encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'],
  ['a vertical tab before the encoding', 'Transfer-Encoding:\x0bchunked\r\nContent-Length: 0\r\n', '0\r\n\r\n'],
  ['a folded header', 'X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n', '0\r\n\r\n'],
  ['a chunk size with a sign', 'Transfer-Encoding: chunked\r\n', '-0\r\n\r\n'],
  ['a line feed in a chunk extension', 'Transfer-Encoding: chunked\r\n', '0;\nx\r\n\r\n'],
];

describe.each(installedGateways)('behind %s as docs/deployment.md configures it', (name) => {
  let gateway: DocumentedGateway;

  beforeAll(async () => {
    gateway = await start(name);
  });
  afterAll(() => gateway.stop());

  it('requests reach both processes, and clients see one service', async () => {
    const requests = (): Promise<number[]> =>
      Promise.all(
        metricsUrls.map(async (url) =>
          valueOf(await scrape(url), 'assay_http_requests_total', { route: '/v1/organizations/' }),
        ),
      );
    const before = await requests();
    const client = make.withCredentials(caller.credentials);
    const through = new Factories({ ...api, app: api.app, url: gateway.url, port: gateway.port });
    const organization = unique('Through a gateway');
    const { id } = (
      await through.withCredentials(caller.credentials).post('/v1/organizations/', { name: organization })
    ).body;
    for (let count = 0; count < 8; count++) {
      const list = await through.withCredentials(caller.credentials).get('/v1/organizations/?per_page=100');
      expect(list.body.organizations).toContainEqual({ id, name: organization });
    }
    expect((await client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
    const after = await requests();
    for (const at of [0, 1]) expect(after[at]).toBeGreaterThan(before[at] ?? Infinity);
    expect((await fetch(`${gateway.portalUrl}/sign-in`)).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['no header', {}],
    ['X-Forwarded-For', { 'x-forwarded-for': FORGED }],
    ['X-Forwarded-For with the address of the gateway', { 'x-forwarded-for': `${FORGED}, 127.0.0.1` }],
    ['Forwarded', { forwarded: `for=${FORGED};host=evil.example;proto=https` }],
    ['X-Real-IP', { 'x-real-ip': FORGED }],
    ['a header that is named as hop-by-hop', { 'x-forwarded-for': FORGED, connection: 'close, X-Forwarded-For' }],
  ])('the audit entry has the address of the client, whatever headers it sends: %s', async (_what, headers) => {
    expect(await auditedAddress(gateway.port, headers)).toBe(CLIENT);
  });

  it('the response has HSTS exactly once', async () => {
    const replies = [
      await send(gateway.port, 'GET', '/healthz'),
      await send(gateway.port, 'GET', '/v1/me'),
      await send(portOf(gateway.portalUrl), 'GET', '/sign-in'),
    ];
    for (const { headers } of replies) expect(headers['strict-transport-security']).toBe('max-age=63072000');
  });

  it('a forged host or protocol never appears in a response', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp', forwarded: 'host=evil.example' };
    const list = await send(gateway.port, 'GET', '/v1/organizations/?per_page=1', {
      headers: authorized(caller.credentials, forged),
    });
    expect(list.status).toBe(200);
    const home = await send(portOf(gateway.portalUrl), 'GET', '/', { headers: forged });
    expect([301, 302, 303]).toContain(home.status);
    expect(JSON.stringify([list, home])).not.toMatch(/evil|ftp/);
  });

  it.each(AMBIGUOUS)(
    'a request that is framed in two ways changes no other request: %s',
    async (_what, headers, body) => {
      const path = `/v1/${unique('smuggled').replace(' ', '-')}`;
      // The last header swallows the first line of a request that follows on the same connection.
      const hidden = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Swallowed: `;
      const head = `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      await Promise.all([1, 2].map(() => exchange(gateway.port, `${head}${headers}\r\n${body}${hidden}`)));
      const ids = Array.from({ length: 8 }, (_, at) => `victim-${at}`);
      for (const id of ids) {
        const answer = await send(gateway.port, 'GET', '/v1/version', {
          headers: authorized(caller.credentials, { 'x-request-id': id }),
        });
        expect([answer.status, answer.headers['x-request-id']]).toEqual([200, id]);
      }
    },
  );

  it('headers that are too large are refused by the gateway or by the API, and not with a 502', async () => {
    const few = { 'x-one': 'x'.repeat(6_000), 'x-two': 'x'.repeat(6_000), 'x-three': 'x'.repeat(6_000) };
    const answers = await Promise.all([
      send(gateway.port, 'GET', '/v1/version', { headers: authorized(caller.credentials, few) }),
      send(gateway.port, 'GET', '/v1/version', {
        headers: authorized(caller.credentials, { x: 'x'.repeat(60_000) }),
      }),
    ]);
    for (const { status } of answers) expect([400, 413, 431, 494]).toContain(status);
    const next = await send(gateway.port, 'GET', '/v1/version', { headers: authorized(caller.credentials) });
    expect(next.status).toBe(200);
  });
});

describe('two gateways, one behind the other', () => {
  const appending = {
    nginx: (text: string) => text.replace(/(X-Forwarded-For +)\$remote_addr/, '$1$proxy_add_x_forwarded_for'),
    haproxy: (text: string) =>
      text.replace('http-request set-header X-Forwarded-For', 'http-request add-header X-Forwarded-For'),
    caddy: (text: string) => text.replaceAll('transport http', 'trusted_proxies 127.0.0.1/32\n\ttransport http'),
  };

  it.each(installedGateways)(
    'the audit entry has the address that the outer one saw, and not one that a client sends to the inner %s',
    async (name) => {
      const inner = await start(name, appending[name]);
      const outer = await startDocumentedGateway(name, {
        api: [hostOf(inner.url), hostOf(inner.url)],
        portal: [hostOf(inner.portalUrl), hostOf(inner.portalUrl)],
      });
      try {
        await eventually(async () =>
          expect(await auditedAddress(outer.port, { 'x-forwarded-for': FORGED })).toBe(CLIENT),
        );
        expect(await auditedAddress(inner.port, { 'x-forwarded-for': FORGED })).toBe(CLIENT);
      } finally {
        await outer.stop();
        await inner.stop();
      }
    },
  );
});

it('without TRUSTED_PROXIES, or from another address, forwarded addresses are ignored', async () => {
  expect(await auditedAddress(api.port, { 'x-forwarded-for': FORGED })).toBe(CLIENT);
  expect(await auditedAddress(api.port, { 'x-forwarded-for': FORGED }, '127.0.0.1')).toBe(FORGED);
});

describe('the times in deploy/gateways', () => {
  const fileOf = (name: string): string => readFileSync(join(__dirname, '../../deploy/gateways', name), 'utf8');
  const secondsIn = (name: string, setting: RegExp): number[] =>
    [...fileOf(name).matchAll(setting)].map(([, seconds]) => Number(seconds));

  it('are shorter than those of the service', () => {
    const { keepAliveTimeout } = api.app.getHttpServer() as { keepAliveTimeout: number };
    const kept = [
      ...secondsIn('nginx.conf', /^ *keepalive_timeout +(\d+)s;/gm),
      ...secondsIn('haproxy.cfg', /^ *timeout server +(\d+)s/gm),
      ...secondsIn('Caddyfile', /^\s*keepalive (\d+)s/gm),
    ];
    expect(kept).toHaveLength(4);
    for (const seconds of kept) expect(1_000 * seconds).toBeLessThan(keepAliveTimeout);
  });

  it('let every gateway notice that a process stops before it closes connections', () => {
    const [idle = Infinity] = secondsIn('nginx.conf', /^ *keepalive_timeout +(\d+)s;/gm);
    expect(1_000 * idle).toBeLessThan(IDLE_NOTICE_MS);
    // HAProxy needs two failed checks.
    const [interval = Infinity] = secondsIn('haproxy.cfg', /inter (\d+)s fall 2/g);
    expect(2_000 * interval).toBeLessThan(HEALTH_NOTICE_MS);
    const [caddy = Infinity] = secondsIn('Caddyfile', /health_interval (\d+)s/g);
    expect(1_000 * caddy).toBeLessThan(HEALTH_NOTICE_MS);
  });
});

const PER_ADDRESS = 5;
const limited = { ...settings, CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS), LOG_LEVEL: 'silent' };

describe('connections of one address', () => {
  const limitedApi = useApi(limited);
  const limitedPortal = usePortal(limitedApi, limited);
  const open: Socket[] = [];
  let metrics: string;
  beforeAll(async () => {
    metrics = (await limitedApi.app.get(MetricsServer).start()) ?? '';
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

  it.each([
    ['api', '/healthz', () => limitedApi.port],
    ['portal', '/sign-in', () => portOf(limitedPortal.url)],
  ] as const)(
    'are limited by the %s and counted, and other addresses are served beside them',
    async (server, path, port) => {
      const flood = Array.from({ length: 100 }, () =>
        connect({ port: port(), host: '127.0.0.1', localAddress: '127.0.0.6' }),
      );
      open.push(...flood);
      for (const socket of flood) socket.on('error', () => undefined).resume();
      const closed = (): number => flood.filter(({ destroyed }) => destroyed).length;
      await eventually(async () => expect(closed()).toBe(100 - PER_ADDRESS));
      const refused = valueOf(await scrape(metrics), 'assay_connections_refused_total', { server });
      expect(refused).toBe(100 - PER_ADDRESS);
      const statusFor = async (from: string): Promise<number> => (await send(port(), 'GET', path, { from })).status;
      await expect(statusFor('127.0.0.6')).rejects.toThrow(/ECONNRESET|EPIPE/);
      expect(await statusFor('127.0.0.7')).toBe(200);
      const ofGateway = await Promise.all(Array.from({ length: 4 * PER_ADDRESS }, () => statusFor('127.0.0.1')));
      expect(new Set(ofGateway)).toEqual(new Set([200]));
      expect(closed()).toBe(100 - PER_ADDRESS);
    },
  );
});

describe('clients that read slowly', () => {
  it('are disconnected while they keep a public response in memory, and others are not', async () => {
    const impatient = await startApi({ ...settings, SLOW_READER_SECONDS: '1' });
    const connections = (): Promise<number> =>
      new Promise((resolve) =>
        impatient.app.getHttpServer().getConnections((_error: Error | null, count: number) => resolve(count)),
      );
    // More than the buffers of the system hold. The clients take it byte by byte, so the connections are not idle.
    const requests = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20);
    const readers = Array.from({ length: 4 }, () =>
      connect({ port: impatient.port, host: '127.0.0.1', localAddress: '127.0.0.6' }),
    );
    for (const socket of readers) socket.on('error', () => undefined).pause();
    await Promise.all(readers.map((socket) => once(socket, 'connect')));
    for (const socket of readers) socket.write(requests);
    const reading = setInterval(() => {
      for (const socket of readers) socket.read(1);
    }, 20);
    try {
      expect((await send(impatient.port, 'GET', '/openapi.json')).status).toBe(200);
      await eventually(async () => expect(await connections()).toBe(0));
    } finally {
      clearInterval(reading);
      for (const socket of readers) socket.destroy();
      await impatient.app.close();
    }
  });
});
