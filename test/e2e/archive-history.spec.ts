import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { type ArchivedRow, verifyArchive } from '../../src/apps/cli/archive-file';
import { archiveHistory } from '../../src/apps/cli/archive-history';
import { dropHistory } from '../../src/apps/cli/drop-history';
import { setRetention } from '../../src/apps/cli/set-retention';
import { readKeys } from '../../src/apps/cli/verify-evidence';
import { uuidV7 } from '../../src/kernel/uuid-v7';
import type { Config } from '../../src/platform/config/load-config';
import { migrate } from '../../src/platform/database/migrate';
import { AuditPartitions } from '../../src/modules/audit/work/audit-partitions';
import { OrganizationPurge } from '../../src/modules/organizations/work/organization-purge';
import { type RunningApi, startApi, testConfig } from '../support/api';
import { addPastMonths } from '../support/audit-months';
import { eventually } from '../support/eventually';
import { useContract } from '../support/contract';
import { server, testDatabase } from '../support/database';
import { Factories, unique } from '../support/factories';

const DAY_MS = 86_400_000;
const OLD = 800;
const folder = mkdtempSync(join(tmpdir(), 'assay-archive-'));
const itWithTwoRoles = server().app === server().owner ? it.skip : it;

let owner: Postgres;
let service: Postgres;
let config: Config;
let api: RunningApi;
let make: Factories;

beforeAll(async () => {
  const { appUrl, ownerUrl } = await testDatabase('_archive');
  config = await testConfig({ DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl });
  owner = new Postgres({ connectionString: ownerUrl });
  service = new Postgres({ connectionString: appUrl });
  await Promise.all([owner.connect(), service.connect()]);
  api = await startApi({ DATABASE_URL: appUrl });
  useContract(api.app);
  make = new Factories(api);
});
afterAll(async () => {
  await api.app.close();
  await Promise.all([owner.end(), service.end()]);
  rmSync(folder, { recursive: true });
});

const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await owner.query<T>(text, values)).rows;
const fileOf = (name: string): string => join(folder, `${name}.ndjson`);
const archivedIn = (file: string): ArchivedRow[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ArchivedRow);
const oldAuditLogs = async (): Promise<number> =>
  (await rows('SELECT 1 FROM audit_logs WHERE timestamp < $1', [daysAgo(365)])).length;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

const addAuditLogs = (count: number, days: number): Promise<void> => addEntries(count, daysAgo(days));

async function addEntries(count: number, time: Date, organizationId = 0): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => uuidV7(time.getTime() + at));
  await rows(
    `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
       resource_type, resource_id, status)
     SELECT id, $2, $3, 'system', 'system', 'test.archive', 'settings', 'settings', '', 'success' FROM unnest($1::uuid[]) id`,
    [ids, time, organizationId],
  );
}

const addHistory = (organizationId: number, findingId: number, days: number, isComment: boolean): Promise<object[]> =>
  rows(
    `INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, comment, is_comment, created)
     VALUES ($1, $2, 1, 1, 'system', 'system', $3, $4, $5)`,
    [organizationId, findingId, `${days} days ago`, isComment, daysAgo(days)],
  );

it('archives what is old, signed, deletes exactly that in pieces, and leaves an audit entry', async () => {
  const { id: organizationId } = await make.organization();
  const { client } = await make.member(organizationId, 'viewer');
  const { id } = await make.finding(organizationId);
  await rows('DELETE FROM finding_history WHERE finding_id = $1', [id]);
  // More than two pieces, whose ids as texts have another order.
  await rows(
    `INSERT INTO finding_history (organization_id, finding_id, status, previous_status, actor_type, actor_id, created)
     SELECT $1, $2, 1, 1, 'system', 'system', $3 FROM generate_series(1, 1200)`,
    [organizationId, id, daysAgo(1_000)],
  );
  // The last change of the status and comments after it are kept.
  for (const [days, isComment] of [
    [900, false],
    [850, true],
    [820, false],
    [810, true],
  ] as const)
    await addHistory(organizationId, id, days, isComment);
  await addAuditLogs(1_200, OLD);
  await addAuditLogs(3, 10);
  const file = fileOf('complete');
  const pieces: number[] = [];
  const manifest = await archiveHistory(config, { file, olderThanDays: 730, onDeleted: (count) => pieces.push(count) });

  expect(manifest).toMatchObject({ auditLogs: 1_200, findingHistory: 1_202 });
  expect(pieces).toEqual([500, 500, 200, 500, 500, 202]);
  expect(await oldAuditLogs()).toBe(0);
  expect(await rows(`SELECT 1 FROM audit_logs WHERE operation = 'test.archive'`)).toHaveLength(3);
  const { history } = (await client.get(`/v1/findings/${id}/history`)).body;
  expect(history.map(({ comment }: { comment: string }) => comment)).toEqual(['810 days ago', '820 days ago']);

  const archived = archivedIn(file);
  expect(archived.map(({ table }) => table)).toEqual([
    ...Array<string>(1_200).fill('audit_logs'),
    ...Array<string>(1_202).fill('finding_history'),
  ]);
  expect(archived.slice(-2).map(({ row }) => row)).toEqual([
    expect.objectContaining({ finding_id: id, comment: '900 days ago' }),
    expect.objectContaining({ finding_id: id, comment: '850 days ago' }),
  ]);
  const keys = readKeys((await client.get('/v1/evidence-keys')).body, 'the response');
  expect(await verifyArchive(file, keys)).toEqual(manifest);
  const entries = `SELECT resource_id, metadata FROM audit_logs WHERE operation = 'audit_log.archive'`;
  expect(await rows(entries)).toEqual([
    {
      resource_id: manifest.sha256,
      metadata: { via: 'cli', before: manifest.before, audit_logs: 1_200, finding_history: 1_202 },
    },
  ]);
  await expect(archiveHistory(config, { file, olderThanDays: 730 })).rejects.toThrow('is complete');
});

describe('an interrupted run', () => {
  const interrupted = async (file: string): Promise<void> => {
    await addAuditLogs(700, OLD);
    const interrupt = (): never => {
      throw new Error('interrupted');
    };
    await expect(archiveHistory(config, { file, olderThanDays: 730, onDeleted: interrupt })).rejects.toThrow(
      'interrupted',
    );
    expect(await oldAuditLogs()).toBe(200);
  };
  // Other tests count what is left.
  let rest = 0;
  afterEach(() => archiveHistory(config, { file: fileOf(`rest-${(rest += 1)}`), olderThanDays: 730 }));

  it('continues with the same file, and leaves one audit entry', async () => {
    const file = fileOf('interrupted');
    await interrupted(file);
    const { sha256, auditLogs } = await archiveHistory(config, { file, olderThanDays: 730 });
    expect(auditLogs).toBe(700);
    expect(await oldAuditLogs()).toBe(0);
    expect(await rows('SELECT 1 FROM audit_logs WHERE resource_id = $1', [sha256])).toHaveLength(1);
  });

  it('deletes nothing more if its file was changed', async () => {
    const file = fileOf('changed');
    await interrupted(file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('test.archive', 'test.changed'));
    await expect(archiveHistory(config, { file, olderThanDays: 730 })).rejects.toThrow(
      'was changed after it was signed',
    );
    expect(await oldAuditLogs()).toBe(200);
    // Nor with a signature that names other content.
    const signature = readFileSync(`${file}.sig.json`, 'utf8');
    writeFileSync(`${file}.sig.json`, signature.replace('"auditLogs": 700', '"auditLogs": 701'));
    await expect(archiveHistory(config, { file, olderThanDays: 730 })).rejects.toThrow('was signed with another key');
    expect(await oldAuditLogs()).toBe(200);
  });

  it('deletes nothing for a file without a signature', async () => {
    const file = fileOf('foreign');
    await addAuditLogs(1, OLD);
    writeFileSync(file, 'notes');
    await expect(archiveHistory(config, { file, olderThanDays: 730 })).rejects.toThrow('exists without a signature');
    expect(readFileSync(file, 'utf8')).toBe('notes');
    expect(await oldAuditLogs()).toBe(1);
  });
});

it.each([
  [30, 'Add --allow-recent'],
  [0, 'at least 1'],
  [Number.NaN, 'a number of days'],
])('refuses an age of %d days', async (olderThanDays, reason) => {
  await expect(archiveHistory(config, { file: fileOf('recent'), olderThanDays })).rejects.toThrow(reason);
});

it('archives entries of less than a year if that is allowed', async () => {
  await addAuditLogs(2, 60);
  const options = { file: fileOf('allowed'), olderThanDays: 30, allowRecent: true };
  await archiveHistory(config, options);
  expect(await rows('SELECT 1 FROM audit_logs WHERE timestamp < $1', [daysAgo(30)])).toEqual([]);
});

const partitions = async (): Promise<string[]> =>
  (
    await rows<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_logs'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);
const organizationsIn = async (partition: string): Promise<number[]> =>
  (await rows<{ id: number }>(`SELECT organization_id AS id FROM ${partition} ORDER BY id`)).map(({ id }) => id);

/** Each test has months of a year of its own, before those of the earlier tests. The last of the five has the rest. */
let year = 2022;
async function useMonths(): Promise<readonly string[]> {
  year--;
  const months = [1, 2, 3, 4, 5].map((month) => `${year}-0${month}`);
  await addPastMonths(owner, months);
  return months.map((month) => `audit_logs_${month.replace('-', '_')}`);
}
/** In the month that the partition is named after. */
const timeIn = (partition = ''): Date => new Date(`${partition.slice(-7).replace('_', '-')}-15T00:00:00Z`);
/** Longer ago than 1970, where ids begin. */
const LONG = 36_500;

describe('a month of the audit log', () => {
  it('is dropped whole if all its entries are in the archive, and keeps those of an organization with a longer retention', async () => {
    const [one = '', two = '', three = ''] = await useMonths();
    const { id } = await make.organization();
    expect(await setRetention(config, id, { days: LONG })).toBe(LONG);
    await addEntries(3, new Date(`${year - 1}-06-01T00:00:00Z`));
    await addEntries(600, timeIn(one));
    await addEntries(2, timeIn(two));
    await addEntries(1, timeIn(two), id);
    await addEntries(4, timeIn(three));
    const file = fileOf('months');
    const pieces: number[] = [];
    const onDeleted = (count: number): unknown => pieces.push(count);
    const { partitions: counts } = await archiveHistory(config, { file, olderThanDays: 730, onDeleted });
    expect(counts).toEqual({ audit_logs_before: 3, [one]: 600, [two]: 2, [three]: 4 });
    expect(pieces).toEqual([3, 600, 4, 2]);
    expect(archivedIn(file)).toHaveLength(609);
    expect(await organizationsIn(two)).toEqual([id]);
    // The first month has become one with what is older; the third is empty.
    expect(await partitions()).not.toContain(one);
    expect(await organizationsIn(three)).toEqual([]);
    await addEntries(1, timeIn(one));
    await addEntries(2, timeIn(three));
    expect(await organizationsIn('audit_logs_before')).toEqual([0]);
    expect(await organizationsIn(three)).toEqual([0, 0]);
  });

  it('is not dropped if an entry was added after the archive was written', async () => {
    const [, two = ''] = await useMonths();
    await addEntries(2, timeIn(two));
    const writer = new Postgres({ connectionString: config.MIGRATION_DATABASE_URL });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query(`LOCK TABLE ${two} IN ROW EXCLUSIVE MODE`);
    const options = { file: fileOf('added'), olderThanDays: 730 };
    await expect(archiveHistory(config, options)).rejects.toThrow(`${two} could not be dropped`);
    await writer.end();
    await addEntries(1, timeIn(two));
    await archiveHistory(config, options);
    expect(await organizationsIn(two)).toEqual([0]);
  });

  it('is dropped without an archive by drop-history, which leaves an audit entry', async () => {
    const [one = '', two = '', three = ''] = await useMonths();
    const [kept, short] = [await make.organization(), await make.organization()];
    await setRetention(config, kept.id, { days: LONG });
    await setRetention(config, short.id, { days: 30 });
    await addEntries(1, timeIn(one), kept.id);
    await addEntries(2, timeIn(two));
    await addEntries(2, timeIn(three));
    await addEntries(1, timeIn(three), kept.id);
    await addEntries(2, daysAgo(60), short.id);
    await addEntries(1, daysAgo(60), kept.id);
    const { partitions: dropped } = await dropHistory(config, { olderThanDays: 730 });
    expect(dropped.filter((name) => [one, two, three].includes(name))).toEqual([two]);
    expect(await organizationsIn(two)).toEqual([]);
    expect(await organizationsIn(three)).toEqual([kept.id]);
    const recent = `SELECT organization_id AS id FROM audit_logs WHERE operation = 'test.archive' AND timestamp > $2`;
    expect(await rows(`${recent} AND organization_id = ANY($1)`, [[kept.id, short.id], daysAgo(100)])).toEqual([
      { id: kept.id },
    ]);
    const entries = `SELECT metadata->>'older_than_days' AS days FROM audit_logs WHERE operation = 'audit_log.drop'`;
    expect(await rows(entries)).toEqual([{ days: '730' }]);
    await expect(dropHistory(config, { olderThanDays: 30 })).rejects.toThrow('Add --allow-recent');
  });

  it('is dropped as soon as a long reader has ended, and no change waits for it meanwhile', async () => {
    const [one = ''] = await useMonths();
    await addEntries(2, timeIn(one));
    const { client } = await make.integrator();
    await owner.query('BEGIN');
    await rows('SELECT count(*) FROM audit_logs');
    let isDropped = false;
    const dropping = dropHistory(config, { olderThanDays: 730 }).finally(() => (isDropped = true));
    await eventually(async () => {
      const [{ count } = { count: 0 }] = await rows<{ count: number }>(
        `SELECT count(*)::int FROM pg_locks WHERE relation = 'audit_logs_before'::regclass AND mode = 'ShareLock'`,
      );
      expect(count).toBe(1);
    });
    try {
      // A change that waits behind the drop is answered with 503.
      for (let change = 0; change < 20; change++)
        expect((await client.post('/v1/organizations/', { name: unique('Meanwhile') })).status).toBe(201);
      expect(isDropped).toBe(false);
    } finally {
      await owner.query('COMMIT');
      await dropping;
    }
    expect(await partitions()).not.toContain(one);
  });
});

describe('the partitions of the audit log', () => {
  const next = (): Promise<object[]> => rows('SELECT operation FROM audit_logs_next');

  it('are added three months ahead, with the entries that had no partition before', async () => {
    const months = (await partitions()).filter((name) => /_\d{4}_\d{2}$/.test(name));
    const last = months.at(-1) ?? '';
    const now = new Date();
    const ahead = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 15));
    expect(last).toBe(`audit_logs_${ahead.toISOString().slice(0, 7).replace('-', '_')}`);
    const start = `audit_logs_first_id(date_trunc('month', '${ahead.toISOString()}'::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')`;
    await rows(`DROP TABLE ${last}, audit_logs_next`);
    await rows(`SELECT audit_logs_add_partition('audit_logs_next', quote_literal(${start}), 'MAXVALUE')`);
    await addEntries(2, ahead);
    await addEntries(1, new Date(ahead.getTime() + 90 * DAY_MS));
    expect(await next()).toHaveLength(3);
    const task = api.app.get(AuditPartitions, { strict: false });
    // One that waits too long for a lock gives up, and the task comes again.
    await Promise.allSettled([1, 2, 3].map(() => task.run()));
    await eventually(() => task.run());
    expect(await next()).toHaveLength(1);
    expect(await organizationsIn(last)).toEqual([0, 0]);
  });

  itWithTwoRoles('cannot be read or changed by name by the service, also not when they were detached', async () => {
    const [, detached = ''] = await useMonths();
    await rows(`ALTER TABLE audit_logs DETACH PARTITION ${detached}`);
    await migrate({ migrationUrl: config.MIGRATION_DATABASE_URL ?? '', appUrl: config.DATABASE_URL });
    const names = [...(await partitions()), detached];
    expect(names).toEqual(expect.arrayContaining(['audit_logs_before', 'audit_logs_next', `audit_logs_${year}_05`]));
    for (const name of names)
      for (const statement of [
        `SELECT 1 FROM ${name}`,
        `INSERT INTO ${name} SELECT * FROM audit_logs`,
        `UPDATE ${name} SET status = 'failure'`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `DROP TABLE ${name}`,
        `ALTER TABLE audit_logs DETACH PARTITION ${name}`,
        `ALTER TABLE ${name} DISABLE TRIGGER ALL`,
      ])
        await expect(service.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('cannot be changed by name by their owner without an archive, also not when they were detached', async () => {
    const [, detached = ''] = await useMonths();
    await rows(`ALTER TABLE audit_logs DETACH PARTITION ${detached}`);
    for (const name of [...(await partitions()), detached])
      for (const statement of [`UPDATE ${name} SET status = 'failure'`, `DELETE FROM ${name}`, `TRUNCATE ${name}`])
        await expect(owner.query(statement)).rejects.toThrow('audit_logs is append-only');
  });
});

describe('the retention of an organization', () => {
  it('is set, shown and reset by the operator, with audit entries', async () => {
    const { id } = await make.organization();
    expect(await setRetention(config, id, {})).toBeNull();
    expect(await setRetention(config, id, { days: 400 })).toBe(400);
    expect(await setRetention(config, id, { days: 90 })).toBe(90);
    expect(await setRetention(config, id, { reset: true })).toBeNull();
    const entries = await rows(
      `SELECT metadata->'history_days' AS days FROM audit_logs WHERE operation = 'organization.set_retention' AND organization_id = $1 ORDER BY audit_logs.id`,
      [id],
    );
    expect(entries).toEqual([{ days: 400 }, { days: 90 }, { days: null }]);
  });

  it.each([
    [{ days: 29 }, 'from 30 to 36500'],
    [{ days: 36_501 }, 'from 30 to 36500'],
    [{ days: 90.5 }, 'from 30 to 36500'],
    [{ days: 90, reset: true }, 'either --days or --reset'],
  ])('%j is refused', async (options, reason) => {
    const { id } = await make.organization();
    await expect(setRetention(config, id, options)).rejects.toThrow(reason);
  });

  it('of an unknown organization is refused', async () => {
    await expect(setRetention(config, 2_147_483_647, { days: 90 })).rejects.toThrow('Organization not found');
  });

  itWithTwoRoles('cannot be set by the service', async () => {
    await expect(service.query('INSERT INTO history_retentions VALUES (1, 30)')).rejects.toThrow('permission denied');
    await expect(service.query('UPDATE history_retentions SET days = 30')).rejects.toThrow('permission denied');
    await expect(service.query('DELETE FROM history_retentions')).rejects.toThrow('permission denied');
  });

  it('holds for an organization that was deleted, and can still be changed', async () => {
    const { id } = await make.organization();
    await setRetention(config, id, { days: 400 });
    await rows('UPDATE organizations SET deleted_at = now() WHERE id = $1', [id]);
    const ids = { organizationId: null, integratorId: null, assetId: null, eventId: null };
    const claim = { id: '0', kind: 'organization.purge', reference: String(id), ...ids, attempt: 1, failures: 0 };
    await api.app.get(OrganizationPurge, { strict: false }).perform(claim, new AbortController().signal);
    expect(await setRetention(config, id, {})).toBe(400);
    expect(await setRetention(config, id, { days: 500 })).toBe(500);
  });
});

describe('the audit log without an archive', () => {
  it('cannot be deleted by its owner', async () => {
    await expect(owner.query('DELETE FROM audit_logs')).rejects.toThrow('audit_logs is append-only');
    await owner.query('BEGIN');
    await owner.query(`SET LOCAL assay.archived = 'on'`);
    await expect(owner.query(`UPDATE audit_logs SET status = 'failure'`)).rejects.toThrow('audit_logs is append-only');
    await owner.query('ROLLBACK');
  });

  itWithTwoRoles('cannot be deleted by the owner’s functions with a temporary table of the service', async () => {
    const { id } = await make.organization();
    await service.query(
      'CREATE TEMP TABLE stored_rows (organization_id int, table_name text, rows bigint, bytes bigint)',
    );
    await service.query(`CREATE FUNCTION pg_temp.steal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM set_config('assay.archived', 'on', true); DELETE FROM public.audit_logs; RETURN NEW; END $$`);
    await service.query(
      'CREATE TRIGGER steal BEFORE INSERT ON pg_temp.stored_rows FOR EACH ROW EXECUTE FUNCTION pg_temp.steal()',
    );
    await service.query('GRANT ALL ON pg_temp.stored_rows TO PUBLIC');
    const before = await rows('SELECT 1 FROM audit_logs');
    await service.query(
      `INSERT INTO public.assets (organization_id, type, value) VALUES ($1, 'domain', 'stolen.example')`,
      [id],
    );
    expect(before.length).toBeGreaterThan(0);
    expect(await rows('SELECT 1 FROM audit_logs')).toHaveLength(before.length);
    await service.query('DISCARD TEMP');
  });

  itWithTwoRoles('cannot be deleted by the service in any way', async () => {
    await service.query('BEGIN');
    await service.query(`SET LOCAL assay.archived = 'on'`);
    await expect(service.query('DELETE FROM audit_logs')).rejects.toThrow('permission denied');
    await service.query('ROLLBACK');
    const withoutOwner = await testConfig({ DATABASE_URL: config.DATABASE_URL });
    await expect(archiveHistory(withoutOwner, { file: fileOf('service'), olderThanDays: 730 })).rejects.toThrow(
      'Set MIGRATION_DATABASE_URL',
    );
  });
});
