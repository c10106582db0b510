import { once } from 'node:events';
import { connect } from 'node:net';
import { useApi } from '../support/api';
import { Client, basic } from '../support/client';
import { emptyDatabase, query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { type ApiProcess, startApiProcess, startProcess } from '../support/processes';

const api = useApi();
const make = new Factories(api);

describe('SIGTERM', () => {
  it('closes idle connections at once, answers a request in flight, accepts no new ones, and exits', async () => {
    const running = await startApiProcess();
    const { credentials } = await make.integrator();
    const body = JSON.stringify({ name: unique('In flight') });
    const head =
      `POST /v1/organizations/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(credentials)}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = connect(running.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
    const idle = connect(running.port, '127.0.0.1');
    await once(idle, 'connect');
    const idleClosed = once(idle.resume(), 'close');
    // When a later request is answered, the server has received the headers of this one.
    await new Client(() => running.url, credentials).get('/v1/me');
    running.kill('SIGTERM');
    await eventually(() => expectRefused(running));
    // Idle connections must close before the request in flight ends, not with the shutdown timeout.
    await idleClosed;
    socket.write(body.slice(5));
    await closed;
    expect(answer).toContain('HTTP/1.1 201');
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(await running.exited).toBe(0);
    // Nest only logs a provider whose dependency has no type.
    expect(running.output()).not.toContain('undefined dependency');
  });

  it('answers what a gateway sends until the gateway has noticed, also on connections that were idle', async () => {
    const running = await startApiProcess({ TRUSTED_PROXIES: '127.0.0.1' });
    const gateway = connect(running.port, '127.0.0.1');
    const direct = connect({ port: running.port, host: '127.0.0.1', localAddress: '127.0.0.5' });
    let answer = '';
    gateway.on('data', (chunk) => (answer += chunk.toString()));
    await Promise.all([once(gateway, 'connect'), once(direct, 'connect')]);
    const gatewayClosed = once(gateway, 'close');
    const directClosed = once(direct.resume(), 'close');
    await fetch(`${running.url}/healthz`);
    running.kill('SIGTERM');
    await eventually(async () => expect((await fetch(`${running.url}/healthz`)).status).toBe(503));
    expect([gateway.destroyed, direct.destroyed]).toEqual([false, false]);
    await directClosed;
    // The connection that `fetch` keeps is closed after its next response.
    await eventually(() => expectRefused(running));
    gateway.write('GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n');
    await gatewayClosed;
    expect(answer).toMatch(/^HTTP\/1.1 401 [^]*Connection: close/);
    expect(await running.exited).toBe(0);
  });

  it('stops a worker, as does the end of its parent process', async () => {
    const worker = await startProcess('worker');
    worker.child.disconnect();
    expect(await worker.exited).toBe(0);
  });
});

async function expectRefused({ url }: ApiProcess): Promise<void> {
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
}

describe('a process that a test leaves behind', () => {
  let left: ApiProcess | undefined;

  it('runs until the end of the test', async () => {
    left = await startApiProcess();
    expect((await fetch(`${left.url}/healthz`)).status).toBe(200);
  });

  it('is stopped before the next test', () => {
    expect(left?.child.signalCode).toBe('SIGKILL');
  });
});

describe('a process that cannot start', () => {
  it('lists every configuration problem', async () => {
    const started = startProcess('api', { PORT: 'many', LOG_LEVEL: 'loud' });
    await expect(started).rejects.toThrow(/PORT must be a number[^]*LOG_LEVEL/);
  });

  it('reports that its port is in use', async () => {
    await expect(
      startProcess('api', { PORT: String(api.port), HOST: '127.0.0.1', PORTAL_PORT: 'off' }),
    ).rejects.toThrow('EADDRINUSE');
  });

  it('reports that the port of the portal is in use', async () => {
    const started = startProcess('api', { PORT: '0', PORTAL_PORT: String(api.port), HOST: '127.0.0.1' });
    await expect(started).rejects.toThrow(
      /port \d+ of the portal is in use: set PORTAL_PORT to another port, or to off/,
    );
  });

  it('reports that the schema is older than the program', async () => {
    const { appUrl } = await testDatabase();
    await query(`UPDATE migrations SET name = 'Unknown' WHERE name LIKE 'CreateSchema%'`);
    try {
      await expect(startProcess('worker', { DATABASE_URL: appUrl })).rejects.toThrow('older than this version');
    } finally {
      await query(`UPDATE migrations SET name = 'CreateSchema1763769600000' WHERE name = 'Unknown'`);
    }
  });

  it('reports that the database has no schema', async () => {
    await expect(startProcess('worker', { DATABASE_URL: await emptyDatabase() })).rejects.toThrow('migration:run');
  });
});

it('the server keeps idle connections open longer than common gateways', () => {
  const server = api.app.getHttpServer() as { keepAliveTimeout: number; requestTimeout: number };
  expect(server.keepAliveTimeout).toBe(75_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
});
