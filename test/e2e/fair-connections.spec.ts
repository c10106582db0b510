import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Client as Postgres } from 'pg';
import { encodeFrame, encodeJson, FRAME } from '../../src/beacon-protocol/frame';
import { Relay } from '../../src/modules/beacons';
import { Database } from '../../src/platform/database/database';
import { DatabaseContext } from '../../src/platform/database/database-context';
import { DatabasePool } from '../../src/platform/database/database-pool';
import { sql } from '../../src/platform/database/sql';
import { Transactions } from '../../src/platform/database/transactions';
import { useApi } from '../support/api';
import { basic } from '../support/client';
import { testDatabase } from '../support/database';
import { Factories } from '../support/factories';
import { expectWaitingForLocks, lockReads, lockRows } from '../support/row-locks';
import { agentSocket, connectAgent } from '../support/test-agent';

/** A tenant may have three of them at a time. */
const POOL_SIZE = 4;
const api = useApi({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
const make = new Factories(api);

/** Opens all connections: opening one takes longer than the statements below. */
const openAll = async (): Promise<void> => {
  const opened = await Promise.all(
    Array.from({ length: POOL_SIZE }, (_, number) =>
      api.app.get(DatabaseContext).runFor(`opener ${number}`, () => api.app.get(DatabasePool).connect()),
    ),
  );
  for (const client of opened) client.release();
};

it('answers a read while transactions of another organization hold all connections that it may have', async () => {
  const flooding = await make.organization();
  const { client: flood } = await flooding.as('member');
  const { id } = await make.finding(flooding.id);
  const { id: otherId, as } = await make.organization();
  const { client: other } = await as('member');
  const release = await lockRows('findings', [id]);
  const comments = Array.from({ length: 12 }, (_, number) =>
    flood.post(`/v1/findings/${id}/comments/`, { comment: `Comment ${number}` }),
  );
  try {
    await expectWaitingForLocks(POOL_SIZE - 1);
    expect((await other.get(`/v1/organizations/${otherId}/findings/`)).status).toBe(200);
  } finally {
    await release();
  }
  expect(new Set((await Promise.all(comments)).map(({ status }) => status))).toEqual(new Set([201]));
});

it('answers public routes while requests with unknown keys wait for the verification of their keys', async () => {
  const release = await lockReads('api_keys');
  const requests = Array.from({ length: 12 }, (_, number) =>
    make.withCredentials({ accessKey: `ak_unknown${number}`, secret: 'x' }).get('/v1/me'),
  );
  try {
    await expectWaitingForLocks(POOL_SIZE - 1);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  } finally {
    await release();
  }
  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([401]));
});

it('verifies a key that was valid recently before the backlog of requests with unknown keys', async () => {
  const { credentials, client } = await (await make.organization()).as('viewer');
  expect((await client.get('/v1/me')).status).toBe(200);
  await openAll();
  const context = api.app.get(DatabaseContext);
  const pool = api.app.get(DatabasePool);
  const order: string[] = [];
  const read = (accessKey: string, secret: string, name: string): Promise<unknown> =>
    new Promise<void>((resolve, reject) =>
      context.runRequest(() => {
        context.claim(accessKey, secret);
        void pool.query('SELECT pg_sleep(0.01)').then(() => resolve(void order.push(name)), reject);
      }),
    );
  const backlog = Array.from({ length: 40 }, (_, number) => read(`ak_invented${number}`, 'x', 'unknown'));
  await Promise.all([...backlog, read(credentials.accessKey, credentials.secret, 'valid')]);
  expect(order.indexOf('valid')).toBeLessThan(backlog.length / 2);
});

/** The status of a report of a beacon. */
const report = async (id: number, token: string): Promise<number> => {
  const headers = {
    authorization: basic({ accessKey: String(id), secret: token }),
    'content-type': 'application/json',
  };
  return (await fetch(`${api.url}/v1/beacons/report`, { method: 'POST', headers, body: '{}' })).status;
};

it('answers other organizations while requests with ids of known beacons and wrong tokens wait', async () => {
  const { id: organizationId } = await make.organization();
  const beacons = await Promise.all([1, 2, 3].map(() => make.beacon(organizationId)));
  for (const { id, token } of beacons) expect(await report(id, token)).not.toBe(401);
  const { id: otherId, as } = await make.organization();
  const { client: other } = await as('member');
  expect((await other.get('/v1/me')).status).toBe(200);
  const release = await lockReads('beacons');
  const requests = beacons.flatMap(({ id }) => [1, 2, 3].map(() => report(id, 'wrong')));
  try {
    await expectWaitingForLocks(POOL_SIZE - 1);
    expect((await other.get(`/v1/organizations/${otherId}/findings/`)).status).toBe(200);
  } finally {
    await release();
  }
  expect(new Set(await Promise.all(requests))).toEqual(new Set([401]));
});

it.each([
  ['an organization', () => make.organization().then((one) => [one, one])],
  [
    'organizations of an integrator',
    async () => {
      const { integratorId } = await make.integrator();
      return Promise.all([make.organization({ integratorId }), make.organization({ integratorId })]);
    },
  ],
])('answers other organizations while reports of two beacons of %s wait', async (_name, organizations) => {
  const beacons = await Promise.all((await organizations()).map(({ id }) => make.beacon(id)));
  for (const { id, token } of beacons) expect(await report(id, token)).toBe(200);
  const { id: otherId, as } = await make.organization();
  const { client: other } = await as('member');
  expect((await other.get('/v1/me')).status).toBe(200);
  const release = await lockRows(
    'beacons',
    beacons.map(({ id }) => id),
  );
  const reports = beacons.flatMap(({ id, token }) => [1, 2, 3].map(() => report(id, token)));
  try {
    await expectWaitingForLocks(POOL_SIZE - 1);
    expect((await other.get(`/v1/organizations/${otherId}/findings/`)).status).toBe(200);
  } finally {
    await release();
  }
  expect(new Set(await Promise.all(reports))).toEqual(new Set([200]));
});

it('registers an agent while registrations of another organization wait', async () => {
  await api.app.get(Relay).start();
  const flooding = await make.beacon((await make.organization()).id);
  const other = await make.beacon((await make.organization()).id);
  const sockets = Array.from({ length: 8 }, () => agentSocket(api.port, flooding));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  const release = await lockRows('beacons', [flooding.id]);
  for (const socket of sockets)
    socket.send(encodeFrame(FRAME.control, 0, encodeJson({ type: 'hello', agent_version: '1.2.3' })));
  try {
    await expectWaitingForLocks(POOL_SIZE - 1);
    expect((await connectAgent(api.port, other)).configurations).toHaveLength(1);
  } finally {
    await release();
    for (const socket of sockets) socket.terminate();
    await api.app.get(Relay).stop();
  }
});

it('gives connections to tenants in turn', async () => {
  await openAll();
  const context = api.app.get(DatabaseContext);
  const pool = api.app.get(DatabasePool);
  const order: string[] = [];
  const read = (tenant: string): Promise<unknown> =>
    context.runFor(tenant, () => pool.query('SELECT pg_sleep(0.01)').then(() => order.push(tenant)));
  const flood = ['first', 'second'].flatMap((tenant) => Array.from({ length: 30 }, () => read(tenant)));
  await Promise.all([...flood, read('other')]);
  // The queue of pg would answer it last.
  expect(order.indexOf('other')).toBeLessThan(flood.length / 2);
});

it('fails with the error of pg if no connection becomes free in time, and then gives it to others', async () => {
  const context = api.app.get(DatabaseContext);
  const pool = api.app.get(DatabasePool);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
  try {
    const held = await Promise.all(
      Array.from({ length: POOL_SIZE - 1 }, () => context.runFor('held', () => pool.connect())),
    );
    const late = context.runFor('held', () => pool.connect());
    const failed = expect(late).rejects.toThrow('timeout exceeded when trying to connect');
    jest.advanceTimersByTime(10_000);
    await failed;
    for (const client of held) client.release();
  } finally {
    jest.useRealTimers();
  }
  const { rows } = await context.runFor('held', () => pool.query('SELECT 1 AS one'));
  expect(rows).toEqual([{ one: 1 }]);
});

/** Ends the session that holds the lock, waits until the statements behind it are answered, and ends their sessions. */
const END_SESSIONS = `
  const { Client } = require('pg');
  const [, url, holder] = process.argv;
  (async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const pool = "pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'assay process %'";
    await client.query('SELECT pg_terminate_backend($1)', [holder]);
    while ((await client.query('SELECT 1 FROM ' + pool + " AND state = 'active'")).rowCount > 0);
    await client.query('SELECT pg_terminate_backend(pid) FROM ' + pool);
    while ((await client.query('SELECT 1 FROM ' + pool)).rowCount > 0);
    await client.end();
  })();`;

it('survives when the database ends a connection at the moment in which a waiting transaction gets it', async () => {
  await openAll();
  const [context, pool] = [api.app.get(DatabaseContext), api.app.get(DatabasePool)];
  const [transactions, database] = [api.app.get(Transactions), api.app.get(Database)];
  const { appUrl } = await testDatabase();
  const holder = new Postgres({ connectionString: appUrl });
  holder.on('error', () => undefined);
  await holder.connect();
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid, pg_advisory_lock(1)');
  const tenants = Array.from({ length: POOL_SIZE }, (_, number) => `tenant ${number}`);
  const reads = tenants.map((tenant) =>
    context.runFor(tenant, () => pool.query('SELECT pg_advisory_xact_lock_shared(1)')),
  );
  await expectWaitingForLocks(POOL_SIZE);
  const waiting = tenants.map((tenant) =>
    context.runFor(tenant, () => transactions.run(() => database.rows(sql`SELECT 1`))),
  );
  // The process reads nothing meanwhile: it gets the answers and the ends of the sessions in one piece.
  execFileSync(process.execPath, ['-e', END_SESSIONS, appUrl, String(rows[0].pid)]);
  expect((await Promise.all(reads)).map(({ rowCount }) => rowCount)).toEqual(tenants.map(() => 1));
  // Those that got a broken connection fail, and others may get a new one.
  const ended = await Promise.allSettled(waiting);
  expect(ended.map(({ status }) => status)).toContain('rejected');
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
});

it('replaces connections that have prepared 500 statements, which the server would keep', async () => {
  const pool = api.app.get(DatabasePool);
  const processes = new Set<number>();
  for (let number = 0; number < 1_200; number++) {
    const text = `SELECT ${number}, pg_backend_pid() AS pid, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`;
    const { rows } = await pool.query<{ pid: number; prepared: number }>({ name: `test_${number}`, text });
    expect(rows[0]?.prepared).toBeLessThanOrEqual(500);
    processes.add(rows[0]?.pid ?? 0);
  }
  expect(processes.size).toBeGreaterThan(2);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
