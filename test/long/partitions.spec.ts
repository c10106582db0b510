import { setTimeout as delay } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations';
import { BoundAuditLogs1796300000000 } from '../../migrations/1796300000000-bound-audit-logs';
import { auditPartitions, dropPartition } from '../../src/apps/cli/audit-partitions';
import { hasNoKeptRow } from '../../src/apps/cli/history-rows';
import { migrate } from '../../src/platform/database/migrate';
import { type RunningApi, startApi } from '../support/api';
import { addPastMonths } from '../support/audit-months';
import { useContract } from '../support/contract';
import { administer, emptyDatabase, roleOf, server, urlOf } from '../support/database';
import { Factories, unique } from '../support/factories';

const ENTRIES = Number(process.env['PARTITION_ENTRIES'] ?? 10_000_000);
const DAY_MS = 86_400_000;
const CLIENTS = 4;
const PAUSE_MS = 20;
const QUIET_MS = 20_000;

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;

let database: string;
let ownerUrl: string;
let appUrl: string;
let owner: Postgres;
let api: RunningApi;
let make: Factories;

beforeAll(async () => {
  ownerUrl = await emptyDatabase();
  database = /\/([^/?]+)(?:\?.*)?$/.exec(ownerUrl)?.[1] ?? '';
  appUrl = urlOf(server(), database, 'app');
  const before = migrations.slice(0, migrations.indexOf(BoundAuditLogs1796300000000));
  const source = new DataSource({
    type: 'postgres',
    url: ownerUrl,
    migrations: before,
    migrationsTableName: 'migrations',
  });
  await source.initialize();
  await source.runMigrations({ transaction: 'each' });
  await source.destroy();
  owner = new Postgres({ connectionString: ownerUrl });
  await owner.connect();
  const app = roleOf(appUrl);
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${app}`);
  await owner.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${app}`);
  await owner.query(`REVOKE ALL ON audit_logs FROM ${app}`);
  await owner.query(`GRANT SELECT, INSERT ON audit_logs TO ${app}`);
  await fill();
  api = await startApi({ DATABASE_URL: appUrl });
  useContract(api.app);
  make = new Factories(api);
});

afterAll(async () => {
  await api.app.close();
  await owner.end();
  await administer(`DROP DATABASE ${database} WITH (FORCE)`);
});

/** Entries of ten months, the newest of which are 14 months old. */
async function fill(): Promise<void> {
  const last = daysAgo(430).getTime();
  // Indexes that are built at the end take a fraction of the time.
  await owner.query('DROP INDEX ix_audit_logs_organization, ix_audit_logs_resource');
  await owner.query(
    `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category, resource_type,
       resource_id, status, metadata)
     SELECT (left(hex, 8) || '-' || right(hex, 4) || '-7' || right(gen_random_uuid()::text, 21))::uuid,
       to_timestamp(ms / 1000.0), n % 20, 'user', '1', 'finding.update', 'findings', 'finding', (n % 100000)::text, 'success',
       jsonb_build_object('ip', '192.0.2.1', 'request_id', md5(n::text))
     FROM generate_series(1, $1::int) n, LATERAL (SELECT $2::bigint - ($1::int - n) * (300 * 86400000::bigint / $1::int) AS ms) time,
       LATERAL lpad(to_hex(ms), 12, '0') hex`,
    [ENTRIES, last],
  );
  await owner.query(`SET maintenance_work_mem = '512MB'`);
  await owner.query('CREATE INDEX ix_audit_logs_organization ON audit_logs (organization_id, id DESC)');
  await owner.query(
    'CREATE INDEX ix_audit_logs_resource ON audit_logs (organization_id, resource_type, resource_id, timestamp)',
  );
  await owner.query('VACUUM ANALYZE audit_logs');
}

/** The response times of changes, which write an entry each, and of reads while the work runs. */
async function timesDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
  const { id: organizationId, as } = await make.organization();
  const { client } = await as('admin');
  const { id } = await make.finding(organizationId);
  const times: number[] = [];
  const done = new AbortController();
  const send = async (): Promise<void> => {
    for (let turn = 0; !done.signal.aborted; turn++) {
      const began = performance.now();
      const answers = [
        () => client.patch(`/v1/findings/${id}/`, { title: unique('Renamed') }),
        () => client.get(`/v1/findings/${id}/`),
        () => client.get(`/v1/audit-logs/?organization_id=${organizationId}&per_page=20`),
      ];
      const { status } = (await answers[turn % 3]?.()) ?? { status: 0 };
      expect(status).toBe(200);
      times.push(performance.now() - began);
      await delay(PAUSE_MS);
    }
  };
  const sending = Promise.all(Array.from({ length: CLIENTS }, send));
  await work().finally(() => done.abort());
  await sending;
  return times;
}

const shown = (times: readonly number[]): string =>
  `${times.length} requests, p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, max ${Math.max(...times).toFixed(0)} ms`;

it(`${ENTRIES} entries become a partition, and are dropped, while an API reads and writes`, async () => {
  await timesDuring(() => delay(QUIET_MS / 4));
  const quiet = await timesDuring(() => delay(QUIET_MS));
  let migrated = 0;
  const migrating = await timesDuring(async () => {
    await delay(QUIET_MS / 4);
    const began = performance.now();
    expect(await migrate({ migrationUrl: ownerUrl, appUrl })).toContain('PartitionAuditLogs1796300100000');
    migrated = performance.now() - began;
    await delay(QUIET_MS / 4);
  });
  const { rows: parts } = await owner.query(
    `SELECT relkind FROM pg_class WHERE oid IN ('audit_logs'::regclass, 'audit_logs_before'::regclass) ORDER BY 1`,
  );
  expect(parts).toEqual([{ relkind: 'p' }, { relkind: 'r' }]);

  await addPastMonths(owner, [daysAgo(400).toISOString().slice(0, 7)]);
  let took = 0;
  const dropping = await timesDuring(async () => {
    await delay(QUIET_MS / 4);
    const began = performance.now();
    const [first] = await auditPartitions(owner, daysAgo(365));
    if (first === undefined) throw new Error('no partition has ended');
    expect(await dropPartition(owner, first, hasNoKeptRow(first.name), [new Date(), 365])).toBe(true);
    took = performance.now() - began;
    await delay(QUIET_MS / 4);
  });
  expect((await owner.query('SELECT 1 FROM audit_logs WHERE timestamp < $1 LIMIT 1', [daysAgo(400)])).rows).toEqual([]);

  process.stderr.write(
    `quiet: ${shown(quiet)}\nmigration (${migrated.toFixed(0)} ms): ${shown(migrating)}\ndrop (${took.toFixed(0)} ms): ${shown(dropping)}\n`,
  );
  const most = 2 * percentile(quiet, 0.99) + 50;
  expect(percentile(migrating, 0.99)).toBeLessThan(most);
  expect(percentile(dropping, 0.99)).toBeLessThan(most);
}, 3_600_000);
