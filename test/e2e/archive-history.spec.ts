import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { type ArchivedRow, verifyArchive } from '../../src/apps/cli/archive-file';
import { archiveHistory } from '../../src/apps/cli/archive-history';
import { readKeys } from '../../src/apps/cli/verify-evidence';
import { uuidV7 } from '../../src/kernel/uuid-v7';
import type { Config } from '../../src/platform/config/load-config';
import { type RunningApi, startApi, testConfig } from '../support/api';
import { useContract } from '../support/contract';
import { server, testDatabase } from '../support/database';
import { Factories } from '../support/factories';

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

async function addAuditLogs(count: number, days: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => uuidV7(daysAgo(days).getTime() + at));
  await rows(
    `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
       resource_type, resource_id, status)
     SELECT id, $2, 0, 'system', 'system', 'test.archive', 'settings', 'settings', '', 'success' FROM unnest($1::uuid[]) id`,
    [ids, daysAgo(days)],
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
    writeFileSync(file, 'notes');
    await expect(archiveHistory(config, { file, olderThanDays: 730 })).rejects.toThrow('exists without a signature');
    expect(readFileSync(file, 'utf8')).toBe('notes');
    expect(await oldAuditLogs()).toBe(200);
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

describe('the audit log without an archive', () => {
  it('cannot be deleted by its owner', async () => {
    await expect(owner.query('DELETE FROM audit_logs')).rejects.toThrow('audit_logs is append-only');
    await owner.query('BEGIN');
    await owner.query(`SET LOCAL assay.archived = 'on'`);
    await expect(owner.query(`UPDATE audit_logs SET status = 'failure'`)).rejects.toThrow('audit_logs is append-only');
    await owner.query('ROLLBACK');
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
