import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client as Postgres } from 'pg';
import { run } from '../../clients/cli/src/main';
import { auditEntryHash, readAuditHead } from '../../clients/sdk/src/audit-heads';
import { canonicalJson } from '../../clients/sdk/src/evidence-parts';
import { verifyConsistency, verifyInclusion } from '../../clients/sdk/src/merkle-tree';
import { archiveHistory } from '../../src/apps/cli/archive-history';
import { dropHistory } from '../../src/apps/cli/drop-history';
import { uuidV7 } from '../../src/kernel/uuid-v7';
import { SigningKeysService } from '../../src/modules/evidence';
import { AuditHeadSigning } from '../../src/modules/audit/work/audit-head-signing';
import { FeedUpkeep } from '../../src/modules/feed/work/feed-upkeep';
import type { Config } from '../../src/platform/config/load-config';
import { type RunningApi, startApi, testConfig } from '../support/api';
import { useContract } from '../support/contract';
import { itWithTwoRoles, testDatabase } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';

(globalThis as { ASSAY_VERSION?: string }).ASSAY_VERSION = '1.2.3';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const AUDIT_HEAD_KEY = Buffer.alloc(32, 7).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'assay-heads-'));
const headsFile = join(folder, 'heads.ndjson');

let owner: Postgres;
let config: Config;
let api: RunningApi;
let other: RunningApi;
let make: Factories;

beforeAll(async () => {
  const { appUrl, ownerUrl } = await testDatabase('_heads');
  const settings = { DATABASE_URL: appUrl, AUDIT_HEAD_KEY, AUDIT_HEADS_FILE: headsFile };
  config = await testConfig({ ...settings, MIGRATION_DATABASE_URL: ownerUrl });
  owner = new Postgres({ connectionString: ownerUrl });
  await owner.connect();
  [api, other] = await Promise.all([startApi(settings), startApi(settings)]);
  useContract(api.app);
  make = new Factories(api);
});
afterAll(async () => {
  await Promise.all([api.app.close(), other.app.close(), owner.end()]);
  rmSync(folder, { recursive: true });
});

const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await owner.query<T>(text, values)).rows;
const signing = (of: RunningApi = api): AuditHeadSigning => of.app.get(AuditHeadSigning, { strict: false });

interface Entry {
  readonly id: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** An entry at a time, as the owner of the tables. */
async function add(organizationId: number, time: Date, client: Postgres = owner): Promise<string> {
  const id = uuidV7(time.getTime());
  await client.query(
    `INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category,
       resource_type, resource_id, status, metadata)
     VALUES ($1, $2, $3, 'system', 'system', 'test.heads', 'settings', 'settings', '', 'success', '{"b": 1.5, "a": [null]}')`,
    [id, time, organizationId],
  );
  return id;
}

/** Changes that the triggers of the log refuse, which its owner can turn off. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  for (const { name } of await partitions()) await owner.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  await owner.query('ALTER TABLE audit_logs DISABLE TRIGGER USER');
  await owner.query(text, values);
  for (const { name } of await partitions()) await owner.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  await owner.query('ALTER TABLE audit_logs ENABLE TRIGGER USER');
}
const partitions = () =>
  rows<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_logs'::regclass`,
  );

let files = 0;
function fileOf(lines: readonly (object | string)[]): string {
  const file = join(folder, `${(files += 1)}.ndjson`);
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join(''));
  return file;
}

interface Verified {
  readonly code: number;
  readonly text: string;
}

/** With no service: the address is nobody's. */
async function verifyAudit(words: readonly string[]): Promise<Verified> {
  let text = '';
  const stream = (): NodeJS.WriteStream =>
    new PassThrough().on('data', (chunk: Buffer) => (text += chunk.toString())) as unknown as NodeJS.WriteStream;
  const stdin = new PassThrough();
  stdin.end();
  const streams = { stdin: stdin as unknown as NodeJS.ReadStream, stdout: stream(), stderr: stream() };
  let code = -1;
  const terminal = { ...streams, env: { ASSAY_URL: 'http://127.0.0.1:1' }, cwd: folder };
  await run(['verify-audit', ...words], terminal, (given) => (code = given));
  return { code, text };
}

const month = (time = new Date()): string => time.toISOString().slice(0, 7);
const home = ({ id }: { id: number }): string => `/v1/organizations/${id}`;

interface Case {
  readonly tenant: Tenant;
  readonly admin: Person;
}

async function tenantWithEntries(count = 5): Promise<Case & { readonly ids: string[] }> {
  const tenant = await make.organization();
  const admin = await make.member(tenant.id, 'admin');
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push(await add(tenant.id, new Date(Date.now() - HOUR_MS + at)));
  return { tenant, admin, ids };
}

/** The log as an auditor takes it: an export in NDJSON, and the proofs. */
async function exported({ tenant, admin }: Case): Promise<{ entries: Entry[]; proofs: string[] }> {
  const found = await rows<Entry & { timestamp: Date }>(
    `SELECT id, timestamp, actor_type, actor_id, operation, operation_category, resource_type, resource_id, status, metadata
     FROM audit_logs WHERE organization_id = $1 ORDER BY id DESC`,
    [tenant.id],
  );
  const months = await rows<{ month: string }>(
    'SELECT DISTINCT month FROM audit_heads WHERE organization_id = $1 ORDER BY month',
    [tenant.id],
  );
  const proofs: string[] = [];
  for (const { month: one } of months) {
    const answer = await admin.client.get(`${home(tenant)}/audit-heads/${one}/proofs`);
    expect(answer.status).toBe(200);
    proofs.push(answer.text);
  }
  return { entries: found.map((one) => ({ ...one, timestamp: one.timestamp.toISOString() })), proofs };
}

async function verifyLog(one: Case, options: readonly string[] = []): Promise<Verified> {
  const { entries, proofs } = await exported(one);
  return verifyAudit([fileOf(entries), fileOf(proofs), ...options]);
}

const sizesOf = async (tenant: Tenant): Promise<number[]> =>
  (
    await rows<{ size: number }>('SELECT size FROM audit_heads WHERE organization_id = $1 ORDER BY month, size', [
      tenant.id,
    ])
  ).map(({ size }) => size);

it('signs heads of all entries, which the API lists, a file gets, and an export proves', async () => {
  const one = await tenantWithEntries();
  await signing().run();
  const { heads } = (await one.admin.client.get(`${home(one.tenant)}/audit-heads`)).body;
  const head = readAuditHead(heads[0]);
  expect(head).toMatchObject({ organization: one.tenant.id, month: month(new Date(Date.now() - HOUR_MS)) });
  expect(readFileSync(headsFile, 'utf8')).toContain(JSON.stringify(heads[0].head));
  expect(await verifyLog(one, ['--key', head.key])).toMatchObject({
    code: 0,
    text: expect.stringContaining('authentic'),
  });
  expect(await verifyLog(one, ['--key', '0000000000000000'])).toMatchObject({
    code: 1,
    text: expect.stringContaining('is not among the given keys'),
  });
  // Nothing has happened since, so nothing is signed.
  await signing().run();
  expect((await sizesOf(one.tenant)).length).toBe(heads.length);
});

it('proves single entries and that heads continue each other', async () => {
  const one = await tenantWithEntries();
  await signing().run();
  const [first] = await sizesOf(one.tenant);
  await add(one.tenant.id, new Date());
  await signing().run();
  const at = `${home(one.tenant)}/audit-heads/${month()}`;
  const all = (await one.admin.client.get(`${home(one.tenant)}/audit-heads?month=${month()}`)).body.heads;
  const [newest, older] = all.map(readAuditHead);
  if (older !== undefined) {
    const { body } = await one.admin.client.get(`${at}/consistency?first=${older.size}&second=${newest.size}`);
    expect(verifyConsistency(readAuditHead(body.first), readAuditHead(body.second), body.path)).toBe(true);
    expect(older.size).toBe(first);
  }
  const { entries } = await exported(one);
  for (const entry of entries.filter(({ id }) => one.ids.includes(id))) {
    const { body } = await one.admin.client.get(`${home(one.tenant)}/audit-logs/${entry.id}/inclusion`);
    const leaf = auditEntryHash(entry, one.tenant.id);
    expect(verifyInclusion(leaf, body.leaf_index, body.path, readAuditHead(body.signed))).toBe(true);
    const changed = auditEntryHash({ ...entry, actor_id: '1' }, one.tenant.id);
    expect(verifyInclusion(changed, body.leaf_index, body.path, readAuditHead(body.signed))).toBe(false);
  }
  expect((await one.admin.client.get(`${home(one.tenant)}/audit-logs/${uuidV7(Date.now())}/inclusion`)).status).toBe(
    404,
  );
  expect((await one.admin.client.get(`${at}/consistency?first=1&second=99999`)).status).toBe(404);
});

it('shows a foreign organization to nobody, and heads to admins only', async () => {
  const one = await tenantWithEntries(1);
  await signing().run();
  const foreign = await make.member((await make.organization()).id, 'owner');
  const viewer = await make.member(one.tenant.id, 'viewer');
  for (const path of [
    'audit-heads',
    `audit-heads/${month()}/consistency?first=1&second=1`,
    `audit-heads/${month()}/proofs`,
    `audit-logs/${one.ids[0]}/inclusion`,
  ]) {
    expect((await foreign.client.get(`${home(one.tenant)}/${path}`)).status).toBe(404);
    expect((await viewer.client.get(`${home(one.tenant)}/${path}`)).status).toBe(403);
  }
});

describe('verify-audit shows behind a head', () => {
  it.each([
    ['removed', 'DELETE FROM audit_logs WHERE id = $1', 1],
    ['changed', `UPDATE audit_logs SET metadata = '{"b": 1.5, "a": [0]}' WHERE id = $1`, 1],
    ['changed', `UPDATE audit_logs SET actor_id = '1' WHERE id = $1`, 1],
  ])('that an entry was %s: %s', async (kind, statement) => {
    const one = await tenantWithEntries();
    await signing().run();
    expect((await verifyLog(one)).code).toBe(0);
    await tamper(statement, [one.ids[2]]);
    const { code, text } = await verifyLog(one);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(`${kind}: ${one.ids[2]}`) });
    expect(text.match(/(removed|changed|added):/g)).toEqual([`${kind}:`]);
  });

  it('that two entries were exchanged', async () => {
    const one = await tenantWithEntries();
    await tamper(`UPDATE audit_logs SET actor_id = 'first' WHERE id = $1`, [one.ids[0]]);
    await signing().run();
    await tamper(
      `UPDATE audit_logs SET actor_id = CASE WHEN id = $1 THEN 'system' ELSE 'first' END WHERE id IN ($1, $2)`,
      [one.ids[0], one.ids[1]],
    );
    const { code, text } = await verifyLog(one);
    expect(code).toBe(1);
    expect(text).toContain(`changed: ${one.ids[0]}`);
    expect(text).toContain(`changed: ${one.ids[1]}`);
  });

  it('that an entry was added, before and after the next head covers it', async () => {
    const one = await tenantWithEntries();
    await signing().run();
    const invented = await add(one.tenant.id, new Date(Date.now() - 30 * MINUTE_MS));
    for (let head = 0; head < 2; head++) {
      const { code, text } = await verifyLog(one);
      expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(`added: ${invented}`) });
      await signing().run();
    }
  });

  it('that the hashes were changed with an entry, and after which head', async () => {
    const one = await tenantWithEntries();
    await signing().run();
    const [size = 0] = await sizesOf(one.tenant);
    for (let more = 0; more < 3; more++) await add(one.tenant.id, new Date());
    await signing().run();
    await owner.query(
      `UPDATE audit_leaves SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE organization_id = $1 AND start = $2`,
      [one.tenant.id, size],
    );
    expect(await verifyLog(one)).toEqual({
      code: 1,
      text: expect.stringMatching(new RegExp(`something after entry ${size} of the tree|after entry 0 of the tree`)),
    });
  });

  it('that the log was rewritten with its hashes, to those who keep heads elsewhere', async () => {
    const one = await tenantWithEntries();
    await signing().run();
    const { heads } = (await one.admin.client.get(`${home(one.tenant)}/audit-heads`)).body;
    await owner.query('DELETE FROM audit_leaves WHERE organization_id = $1', [one.tenant.id]);
    await owner.query('DELETE FROM audit_heads WHERE organization_id = $1', [one.tenant.id]);
    await tamper('DELETE FROM audit_logs WHERE id = $1', [one.ids[0]]);
    await add(one.tenant.id, new Date());
    await signing().run();
    const { entries, proofs } = await exported(one);
    expect((await verifyAudit([fileOf(entries), fileOf(proofs)])).code).toBe(0);
    const { code, text } = await verifyAudit([fileOf(entries), fileOf(proofs), fileOf(heads)]);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('was removed, changed or added') });
  });

  it('that a database was restored to a time before a head', async () => {
    const one = await tenantWithEntries();
    await signing().run();
    const before = await exported(one);
    await add(one.tenant.id, new Date());
    await signing().run();
    const { heads } = (await one.admin.client.get(`${home(one.tenant)}/audit-heads`)).body;
    const { code, text } = await verifyAudit([fileOf(before.entries), fileOf(before.proofs), fileOf([heads[0]])]);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining('restored to a time before the head') });
  });

  it('a head that another key has signed or that was changed', async () => {
    const one = await tenantWithEntries();
    await signing().run();
    const { entries, proofs } = await exported(one);
    const [document] = (await one.admin.client.get(`${home(one.tenant)}/audit-heads`)).body.heads;
    const changed = { ...document, head: { ...document.head, size: 1 } };
    expect((await verifyAudit([fileOf(entries), fileOf(proofs), fileOf([changed])])).text).toContain(
      'was changed after it was signed',
    );
    const { privateKey } = generateKeyPairSync('ed25519');
    const value = sign(null, Buffer.from(canonicalJson(changed.head)), privateKey).toString('base64');
    const forged = { ...changed, signature: { ...document.signature, value } };
    expect((await verifyAudit([fileOf(entries), fileOf(proofs), fileOf([forged])])).code).toBe(1);
  });

  it('keys of evidence that a head does not cover', async () => {
    await api.app.get(SigningKeysService, { strict: false }).current();
    const one = await tenantWithEntries();
    await signing().run();
    const { entries, proofs } = await exported(one);
    const keys = (await one.admin.client.get('/v1/evidence-keys')).body.keys;
    const verifyKeys = (given: readonly object[]) =>
      verifyAudit([fileOf(entries), fileOf(proofs), '--evidence-keys', fileOf([JSON.stringify({ keys: given })])]);
    expect((await verifyKeys(keys)).code).toBe(0);
    expect((await verifyKeys([])).text).toContain('covers other keys that sign evidence');
    const der = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
    const public_key = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
    const id = createHash('sha256').update(der).digest('hex').slice(0, 16);
    const added = { ...keys[0], id, public_key, created: new Date().toISOString() };
    expect((await verifyKeys([...keys, added])).code).toBe(0);
    expect((await verifyKeys([added, ...keys.slice(1)])).code).toBe(1);
  });
});

describe('the task', () => {
  it('takes an entry that was committed after later ones, once', async () => {
    const one = await tenantWithEntries();
    const late = new Postgres({ connectionString: config.MIGRATION_DATABASE_URL });
    await late.connect();
    await late.query('BEGIN');
    const id = await add(one.tenant.id, new Date(), late);
    await add(one.tenant.id, new Date());
    await signing().run();
    const before = await sizesOf(one.tenant);
    await late.query('COMMIT');
    await late.end();
    await signing().run();
    await signing().run();
    const after = await sizesOf(one.tenant);
    expect(after.length).toBe(before.length + 1);
    expect((await verifyLog(one)).code).toBe(0);
    const found = await rows(
      'SELECT 1 FROM audit_leaves, unnest(ids) entry WHERE organization_id = $1 AND entry = $2',
      [one.tenant.id, id],
    );
    expect(found).toHaveLength(1);
  });

  it('takes each entry once when two workers run at once, and while others write', async () => {
    const one = await tenantWithEntries();
    for (let round = 0; round < 5; round++)
      await Promise.all([
        signing(api).run(),
        signing(other).run(),
        ...Array.from({ length: 10 }, () => one.admin.client.get(`/v1/audit-logs/?organization_id=${one.tenant.id}`)),
      ]);
    await signing().run();
    const [count] = await rows<{ entries: number; leaves: number }>(
      `SELECT (SELECT count(*)::int FROM audit_logs WHERE organization_id = $1) AS entries,
         (SELECT count(DISTINCT id)::int FROM audit_leaves, unnest(ids) id WHERE organization_id = $1) AS leaves,
         (SELECT sum(cardinality(ids))::int FROM audit_leaves WHERE organization_id = $1) AS positions`,
      [one.tenant.id],
    );
    expect(count).toEqual({ entries: count?.entries, leaves: count?.entries, positions: count?.entries });
    expect((await verifyLog(one)).code).toBe(0);
  });

  it('continues after it was killed between the leaves and the head', async () => {
    const one = await tenantWithEntries();
    await owner.query('ALTER TABLE audit_heads RENAME TO audit_heads_away');
    await signing()
      .run()
      .catch(() => undefined);
    await owner.query('ALTER TABLE audit_heads_away RENAME TO audit_heads');
    await owner.query(
      `CREATE FUNCTION refuse_heads() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'killed'; END $$`,
    );
    await owner.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON audit_heads FOR EACH ROW EXECUTE FUNCTION refuse_heads()',
    );
    await signing()
      .run()
      .catch(() => undefined);
    expect(await sizesOf(one.tenant)).toEqual([]);
    expect(await rows('SELECT 1 FROM audit_leaves WHERE organization_id = $1', [one.tenant.id])).not.toEqual([]);
    await owner.query('DROP TRIGGER refuse ON audit_heads');
    await owner.query('DELETE FROM set_aside_tasks');
    await signing().run();
    expect((await verifyLog(one)).code).toBe(0);
  });

  it('puts the months before it was switched on into trees, each head with that of the month before', async () => {
    const tenant = await make.organization();
    const admin = await make.member(tenant.id, 'admin');
    const times = ['2026-07-31T23:59:59.999Z', '2026-08-01T00:00:00Z', '2026-10-05T00:00:00Z'];
    for (const time of times) await add(tenant.id, new Date(time));
    await signing().run();
    const { heads } = (await admin.client.get(`${home(tenant)}/audit-heads`)).body;
    const read = heads.map(readAuditHead).toReversed();
    expect(read.slice(0, 3)).toMatchObject([
      { month: '2026-07', size: 1, previous: null },
      { month: '2026-08', size: 1, previous: { month: '2026-07', size: 1, root: read[0].root } },
      { month: '2026-10', size: 1, previous: { month: '2026-08' } },
    ]);
    expect((await verifyLog({ tenant, admin })).code).toBe(0);
  });

  it('takes what is later than a day in one hour of the day', async () => {
    const one = await tenantWithEntries();
    await signing().run();
    await owner.query(
      `UPDATE audit_leaves SET last_id = audit_logs_first_id(now() + interval '30 hours') WHERE organization_id = $1`,
      [one.tenant.id],
    );
    const before = await sizesOf(one.tenant);
    await add(one.tenant.id, new Date());
    const hours: number[] = [];
    const clock = {
      now: () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + (hours.at(-1) ?? 0) * HOUR_MS),
    };
    const task = Object.create(signing(), { clock: { value: clock } }) as AuditHeadSigning;
    hours.push((one.tenant.id + 1) % 24);
    await task.run();
    expect(await sizesOf(one.tenant)).toEqual(before);
    hours.push(one.tenant.id % 24);
    await task.run();
    expect((await sizesOf(one.tenant)).length).toBe(before.length + 1);
  });

  it('signs what an earlier run has left without a head, although nothing is new', async () => {
    const tenant = await make.organization();
    const id = await add(tenant.id, new Date(Date.now() - 72 * HOUR_MS));
    await tamper('DELETE FROM audit_logs WHERE organization_id = $1 AND id <> $2', [tenant.id, id]);
    await signing().run();
    const [size = 0] = await sizesOf(tenant);
    await owner.query('DELETE FROM audit_heads WHERE organization_id = $1', [tenant.id]);
    const clock = {
      now: () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + ((tenant.id + 1) % 24) * HOUR_MS),
    };
    await (Object.create(signing(), { clock: { value: clock } }) as AuditHeadSigning).run();
    expect(await sizesOf(tenant)).toEqual([size]);
  });

  it('does not begin a tree again whose leaves were archived', async () => {
    const tenant = await make.organization();
    await tamper('DELETE FROM audit_logs WHERE organization_id = $1', [tenant.id]);
    await add(tenant.id, new Date(Date.now() - MINUTE_MS));
    await signing().run();
    const [size = 0] = await sizesOf(tenant);
    await owner.query('DELETE FROM audit_leaves WHERE organization_id = $1', [tenant.id]);
    await add(tenant.id, new Date());
    await signing().run();
    expect(await rows('SELECT 1 FROM audit_leaves WHERE organization_id = $1', [tenant.id])).toEqual([]);
    expect(await sizesOf(tenant)).toEqual([size]);
  });

  it('does nothing without a key', async () => {
    const one = await tenantWithEntries(1);
    const without = await startApi({ DATABASE_URL: config.DATABASE_URL });
    await signing(without).run();
    await without.app.close();
    expect(await sizesOf(one.tenant)).toEqual([]);
  });

  it('sends heads to those whose filter names them', async () => {
    const one = await tenantWithEntries(1);
    await signing().run();
    await api.app.get(FeedUpkeep, { strict: false }).append();
    const read = async (query: string) => (await one.admin.client.get(`${home(one.tenant)}/feed${query}`)).body.entries;
    const [entry] = await read('?type=audit_head');
    expect(readAuditHead(entry.data)).toMatchObject({ organization: one.tenant.id });
    expect(entry.record_id).toMatch(/^\d{4}-\d\d\/\d+$/);
    expect(JSON.stringify(await read(''))).not.toContain('audit_head');
  });
});

const LAST_YEAR = new Date(Date.now() - 400 * 24 * HOUR_MS);

describe('an archive', () => {
  it('carries the proofs of its entries, and the last head stays', async () => {
    const tenant = await make.organization();
    const admin = await make.member(tenant.id, 'admin');
    const old = [await add(tenant.id, LAST_YEAR), await add(tenant.id, LAST_YEAR)].toSorted();
    await signing().run();
    await add(tenant.id, LAST_YEAR);
    await signing().run();
    const file = join(folder, 'archive.ndjson');
    await archiveHistory(config, { file, olderThanDays: 365 });
    expect(await verifyAudit([file])).toMatchObject({ code: 1, text: expect.stringContaining('added:') });
    const { heads } = (await admin.client.get(`${home(tenant)}/audit-heads?month=${month(LAST_YEAR)}`)).body;
    expect(heads.map(readAuditHead)).toMatchObject([{ size: 2 }]);
    expect(
      await rows('SELECT 1 FROM audit_leaves WHERE organization_id = $1 AND month = $2', [tenant.id, month(LAST_YEAR)]),
    ).toEqual([]);
    const at = `${home(tenant)}/audit-heads/${month(LAST_YEAR)}`;
    expect((await admin.client.get(`${at}/consistency?first=2&second=2`)).status).toBe(409);
    // An entry that is invented now is in no tree: its month is closed.
    await add(tenant.id, LAST_YEAR);
    await signing().run();
    expect((await admin.client.get(`${home(tenant)}/audit-heads?month=${month(LAST_YEAR)}`)).body.heads).toHaveLength(
      1,
    );
    const changed = readFileSync(file, 'utf8').replace(
      `"id":"${old[0]}","timestamp":"2`,
      `"id":"${old[0]}","timestamp":"1`,
    );
    expect((await verifyAudit([fileOf([changed])])).text).toContain(`changed: ${old[0]}`);
    await dropHistory(config, { olderThanDays: 365 });
  });
});

itWithTwoRoles('the service can neither change nor remove heads and leaves', async () => {
  const service = new Postgres({ connectionString: config.DATABASE_URL });
  await service.connect();
  for (const table of ['audit_heads', 'audit_leaves'])
    for (const statement of [`DELETE FROM ${table}`, `UPDATE ${table} SET size = 1`, `TRUNCATE ${table}`])
      await expect(service.query(statement)).rejects.toThrow('permission denied');
  await service.end();
});
