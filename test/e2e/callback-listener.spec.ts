import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { request } from 'node:http';
import { encode } from 'dns-packet';
import { newCallbackLabel } from '../../src/kernel/callback-name';
import { migrate } from '../../src/platform/database/migrate';
import { administer, queryOnce, server, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { launchProcess, type RunningProcess } from '../support/processes';

const DOMAIN = 'calls.example.com';
const KEY = randomBytes(32);
const PASSWORD = randomBytes(12).toString('hex');

let role = '';
let url = '';
let ownerUrl = '';
let listener: RunningProcess;
let ports: { dns: number; http: number };
let metricsUrl = '';

const lineWith = (text: string): string =>
  listener
    .output()
    .split('\n')
    .find((line) => line.includes(text)) ?? '{}';

beforeAll(async () => {
  const database = await testDatabase('_calls');
  ({ ownerUrl } = database);
  role = `${database.name}_listener`;
  await administer(`DROP ROLE IF EXISTS ${role}`);
  await administer(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  url = database.appUrl.replace(/\/\/[^@]*@/, `//${role}:${PASSWORD}@`);
  await migrate({ migrationUrl: ownerUrl, appUrl: database.appUrl, callbackUrl: url });
  const settings = {
    CALLBACK_DOMAIN: DOMAIN,
    CALLBACK_KEY: KEY.toString('base64'),
    CALLBACK_DATABASE_URL: url,
    CALLBACK_ADDRESSES: '127.0.0.1',
    CALLBACK_HOST: '127.0.0.1',
    CALLBACK_DNS_PORT: '0',
    CALLBACK_HTTP_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
  };
  await launchProcess('callbacks', settings, (begun) => (listener = begun));
  await eventually(async () => expect(lineWith('listening for callbacks')).not.toBe('{}'));
  ({ ports } = JSON.parse(lineWith('listening for callbacks')) as { ports: typeof ports });
  ({ url: metricsUrl } = JSON.parse(lineWith('metrics listening')) as { url: string });
});

afterAll(async () => {
  listener.kill('SIGTERM');
  expect(await listener.exited).toBe(0);
  await administer(`DROP DATABASE ${new URL(ownerUrl.replace('@/', '@localhost/')).pathname.slice(1)} WITH (FORCE)`);
  await administer(`DROP ROLE ${role}`);
});

const calls = (): Promise<{ name: string; protocol: string; source: string }[]> =>
  queryOnce(ownerUrl, 'SELECT name, protocol, host(source) AS source FROM callbacks ORDER BY name, number');

async function call(host: string): Promise<void> {
  const sent = request({ host: '127.0.0.1', port: ports.http, headers: { host } }).end();
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  answer.resume();
  await once(answer, 'end');
}

const ownConnections = (): Promise<object[]> =>
  queryOnce(ownerUrl, `SELECT pid FROM pg_stat_activity WHERE usename = '${role}'`);

async function flood(names: () => string): Promise<void> {
  const socket = createSocket('udp4');
  for (let sent = 0; sent < 3_000; sent += 1)
    socket.send(encode({ type: 'query', id: sent, questions: [{ name: names(), type: 'A' }] }), ports.dns, '127.0.0.1');
  for (let sent = 0; sent < 30; sent += 1) await call(names()).catch(() => undefined);
  await new Promise<void>((done) => socket.close(done));
}

it('does not reach the database for a flood of foreign names', async () => {
  await flood(() => `${randomBytes(21).toString('hex')}.${DOMAIN}`);
  expect(await ownConnections()).toEqual([]);
  expect(await calls()).toEqual([]);
  const text = await (await fetch(metricsUrl)).text();
  expect(text).toMatch(/assay_callbacks_total\{protocol="dns",result="foreign"\} [1-9]/);
  expect(text).toContain('assay_callbacks_total{protocol="dns",result="recorded"} 0');
});

it('records calls with their protocol and source, at most 20 of a name', async () => {
  // The flood has used up what a source may send in this second.
  const first = newCallbackLabel(KEY);
  await eventually(() => call(`${first}.${DOMAIN}`));
  await eventually(async () => expect(await calls()).toEqual([{ name: first, protocol: 'http', source: '127.0.0.1' }]));
  const name = newCallbackLabel(KEY);
  for (let turn = 0; turn < 3; turn += 1) await flood(() => `${name}.${DOMAIN}`);
  await eventually(async () => expect((await calls()).filter((one) => one.name === name)).toHaveLength(20));
});

it('keeps the limit of rows in the database too, whoever calls the function at once', async () => {
  const name = newCallbackLabel(KEY);
  const record = `SELECT listener.record_callback($1, 'dns', '192.0.2.1') AS recorded`;
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => queryOnce<{ recorded: boolean }>(url, record, [name])),
  );
  expect(answers.flat().filter(({ recorded }) => recorded)).toHaveLength(20);
  expect((await calls()).filter((one) => one.name === name)).toHaveLength(20);
});

describe('the role of the listener', () => {
  const refused = (text: string): Promise<void> =>
    expect(queryOnce(url, text)).rejects.toThrow(/permission denied|does not exist/);

  it('may read, change and empty no table', async () => {
    const tables = await queryOnce<{ name: string }>(
      ownerUrl,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(50);
    const [rights] = await queryOnce<{ any: boolean }>(
      ownerUrl,
      `SELECT bool_or(has_table_privilege('${role}', c.oid, p)) AS any FROM pg_class c,
         unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')`,
    );
    expect(rights).toEqual({ any: false });
    for (const { name } of tables.slice(0, 10)) await refused(`SELECT 1 FROM public.${name}`);
    await refused('SELECT 1 FROM public.callbacks');
    await refused(`INSERT INTO public.callbacks (name, number, protocol, source) VALUES ('x', 1, 'dns', '::1')`);
    await refused('DELETE FROM public.callbacks');
  });

  it('may execute no other function of the schema, and create nothing', async () => {
    const functions = await queryOnce<{ name: string }>(
      ownerUrl,
      `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
       AND p.prorettype <> 'trigger'::regtype AND p.pronargs = 0`,
    );
    for (const { name } of functions) await refused(`SELECT public.${name}()`);
    await refused('SELECT public.feed_append(1)');
    await refused('CREATE TABLE public.mine (id int)');
    await refused('CREATE TABLE listener.mine (id int)');
    await refused('CREATE TEMPORARY TABLE mine (id int)');
    await refused('CREATE SCHEMA mine');
    const own = await queryOnce<{ name: string }>(
      ownerUrl,
      `SELECT p.proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname !~ '^(pg_|information_schema)' AND has_schema_privilege('${role}', n.oid, 'USAGE')
         AND has_function_privilege('${role}', p.oid, 'EXECUTE')`,
    );
    expect(own).toEqual([{ name: 'record_callback' }]);
  });
});

it('leaves the service all its rights', async () => {
  const { appUrl } = await testDatabase('_calls');
  if (server().app === server().owner) return;
  await queryOnce(appUrl, 'SELECT count(*) FROM callbacks');
  await queryOnce(appUrl, 'SELECT count(*) FROM jobs');
});
