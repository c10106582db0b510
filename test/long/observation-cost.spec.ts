import { readdirSync, readFileSync } from 'node:fs';
import { ObservationSchedule } from '../../src/modules/observations/work/observation-schedule';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { FakeHostObserver, host, port } from '../support/fake-host-observer';
import { statementsOf } from '../support/statements';

const make = new Factories(useApi({}));
const ASSETS = Number(process.env['ASSETS'] ?? 10_000);
const ORGANIZATIONS = 50;
const TABLES = ['observations', 'observed_hosts', 'observed_ports', 'asset_changes', 'audit_logs', 'work'];
/** One clock tick of Linux. */
const TICK_MS = 10;
/** One asset in so many shows another version. */
const CHANGED = 10;

const sql = (text: string) => query<{ n: string }>(text).then(([row]) => Number(row?.n ?? 0));

/** The processor time of all processes of the database server, also of those that have ended. */
async function databaseMs(): Promise<number> {
  const fieldsOf = (pid: string): string[] => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return text.slice(text.lastIndexOf(')') + 2).split(' ');
    } catch {
      return [];
    }
  };
  const main = fieldsOf(String(await sql('SELECT pg_backend_pid()::text AS n')))[1] ?? '';
  const ticks = (fields: readonly string[], at: readonly number[]): number =>
    at.reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && fieldsOf(pid)[1] === main);
  const own = ticks(fieldsOf(main), [11, 12, 13, 14]);
  return TICK_MS * children.reduce((sum, pid) => sum + ticks(fieldsOf(pid), [11, 12]), own);
}

/** With the indexes. */
const bytesOf = (table: string): Promise<number> =>
  sql(`SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::text AS n FROM pg_partition_tree('${table}')
       UNION ALL SELECT pg_total_relation_size('${table}')::text ORDER BY 1 DESC LIMIT 1`);

const unfinished = (): Promise<number> =>
  sql(`SELECT count(*)::text AS n FROM observations WHERE status IN ('PENDING', 'IN_PROGRESS')`);

let worker: RunningWorker;

beforeAll(async () => {
  worker = await startWorker({ OBSERVE_EVERY_HOURS: '24' });
});
afterAll(() => worker.stop());

it(`states what ${ASSETS} daily observations cost`, async () => {
  const observer = new FakeHostObserver();
  observer.installIn(worker.context);
  const nginx = (version: string) =>
    ['nginx', 'OpenSSL'].map((name) => ({ name, vendor: '', version, os: '', cpe: '', source: 'Server header' }));
  const show = (name: string, version: string): void =>
    observer.show(name, {
      hosts: [
        host(
          '192.0.2.7',
          port(80, { service: 'http', technologies: nginx(version) }),
          port(443, { service: 'https', security: 'tls', technologies: nginx(version) }),
          ...[8080, 8443].map((number) => port(number, { state: 'closed' })),
        ),
      ],
    });
  const names: string[] = [];
  for (let turn = 0; turn < ORGANIZATIONS; turn++) {
    const { id } = await make.organization();
    const { value } = await make.domain(id, { verified: true });
    await query(
      `INSERT INTO assets (organization_id, value, type, observation_due)
       SELECT $1, 'h' || n || '.' || $2, 'domain', NULL FROM generate_series(2, $3) n`,
      [id, value, ASSETS / ORGANIZATIONS],
    );
    names.push(value, ...Array.from({ length: ASSETS / ORGANIZATIONS - 1 }, (_none, at) => `h${at + 2}.${value}`));
  }
  await query(`UPDATE assets SET observation_due = now() + interval '1 day'`);
  const schedule = worker.context.get(ObservationSchedule, { strict: false });
  const observeAll = async (): Promise<void> => {
    await query('UPDATE assets SET observation_due = now()');
    while ((await sql(`SELECT count(*)::text AS n FROM assets WHERE observation_due <= now()`)) > 0) {
      await schedule.run();
      await eventually(async () => expect(await unfinished()).toBeLessThan(ORGANIZATIONS * 10));
    }
    await eventually(async () => expect(await unfinished()).toBe(0));
  };
  for (const name of names) show(name, '1.0');
  await observeAll();
  await query('ANALYZE');
  names.filter((_name, index) => index % CHANGED === 0).forEach((name) => show(name, '1.1'));
  const rowsBefore = await Promise.all(TABLES.map((table) => sql(`SELECT count(*)::text AS n FROM ${table}`)));
  const before = await Promise.all(TABLES.map(bytesOf));
  const databaseBefore = await databaseMs();
  const cpu = process.cpuUsage();
  const statements = await statementsOf(() => observeAll());
  const { user, system } = process.cpuUsage(cpu);
  const ms = (await databaseMs()) - databaseBefore;
  const after = await Promise.all(TABLES.map(bytesOf));
  const rows = await Promise.all(TABLES.map((table) => sql(`SELECT count(*)::text AS n FROM ${table}`)));
  // The schedule of the worker itself may have begun some twice.
  const looks = (rows[0] ?? 0) - (rowsBefore[0] ?? 0);
  const per = (value: number): string => (value / looks).toFixed(2);
  const share = (value: number): string =>
    `${((100 * value * 10_000) / looks / 86_400_000).toFixed(2)} % of a core for 10,000 a day`;
  const lines = [
    `${per(statements.length)} statements a look`,
    `database: ${per(ms)} ms a look, ${share(ms)}`,
    `worker: ${per((user + system) / 1_000)} ms a look, ${share((user + system) / 1_000)}`,
    ...TABLES.map(
      (table, at) =>
        `${table}: ${(rows[at] ?? 0) - (rowsBefore[at] ?? 0)} rows, ${(((after[at] ?? 0) - (before[at] ?? 0)) / 1e6).toFixed(1)} MB`,
    ),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  const changes = await sql('SELECT count(*)::text AS n FROM asset_changes');
  // Two technologies on each of two ports.
  expect(changes).toBeGreaterThanOrEqual((4 * ASSETS) / CHANGED);
  expect(ms / looks).toBeLessThan(100);
});
