import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client as Connection } from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations';
import { migrate } from '../../src/platform/database/migrate';
import { type RunningApi, startApi } from '../support/api';
import { Client } from '../support/client';
import { useContract } from '../support/contract';
import { eventually } from '../support/eventually';
import { emptyDatabase, server, urlOf } from '../support/database';

let source: DataSource;
const rows = <T>(statement: string): Promise<T[]> => source.query(statement);

/** A released version, with the member of the demo whose database is in `test/support`. */
interface Release {
  readonly version: string;
  readonly lastMigration: string;
  readonly member: { readonly accessKey: string; readonly secret: string };
}

const RELEASES: readonly Release[] = [
  {
    version: '0.1.0',
    lastMigration: 'CreateSchema1763769600000',
    member: {
      accessKey: 'ak_YroMgyaAUZoH50j3VyKU',
      secret: 'as_0OOu-wlKTTeGVP4p9DSRqkFxdKg1vubg-zLPXTp0IXc0n7Kf1',
    },
  },
  {
    version: '0.2.0',
    lastMigration: 'AddUndoersOfImports1796800024000',
    member: {
      accessKey: 'ak_z1Knv7sWX6xHdA1SdTIM',
      secret: 'as_caOvPlPHmcU2F3XHvptgmGk3xIvHLK_tdbEKt00kjd44bLx8E',
    },
  },
];

/** Migrates a database of a released version, with rows, by the current version. */
async function upgrade(
  { lastMigration }: Pick<Release, 'lastMigration'>,
  fill: (old: DataSource, url: string) => Promise<unknown>,
): Promise<string> {
  const names = migrations.map(({ name }) => name);
  const count = names.indexOf(lastMigration) + 1;
  const url = await emptyDatabase();
  source = new DataSource({
    type: 'postgres',
    url,
    migrations: migrations.slice(0, count),
    migrationsTableName: 'migrations',
    poolSize: 1,
  });
  await source.initialize();
  await source.runMigrations({ transaction: 'each' });
  await fill(source, url);
  expect(await migrate({ migrationUrl: url, appUrl: url })).toEqual(names.slice(count));
  return url;
}

/** Users 1 to 7: what each of them did is in the names. */
const FILLED = `
  INSERT INTO integrators (id, name) VALUES (1, 'Partner');
  INSERT INTO organizations (id, name, folded_name) VALUES (1, 'One', 'one'), (2, 'Two', 'two');
  INSERT INTO users (id, email, folded_email, integrator_id)
    SELECT id, name || '@example.com', name || '@example.com', CASE WHEN name = 'integrator' THEN 1 END FROM (VALUES
      (1, 'used-mailed-link'), (2, 'used-no-link'), (3, 'integrator'), (4, 'used-handed-link'), (5, 'asked-only'),
      (6, 'used-late'), (7, 'left')) AS person (id, name);
  INSERT INTO memberships (user_id, organization_id, role)
    VALUES (1, 1, 'owner'), (1, 2, 'viewer'), (2, 1, 'member'), (4, 1, 'member'), (5, 1, 'member'), (6, 1, 'member');
  INSERT INTO api_keys (id, access_key, secret_hash, user_id, label, scopes, organization_id, expires, revoked) VALUES
    (1, 'a1', '\\x00', 1, 'no limit', '{write}', NULL, NULL, NULL),
    (2, 'a2', '\\x00', 1, 'limited', '{write}', 2, NULL, NULL),
    (3, 'a3', '\\x00', 1, 'revoked', '{write}', NULL, NULL, now()),
    (4, 'a4', '\\x00', 1, 'expired', '{write}', NULL, '2020-01-01', NULL),
    (5, 'a5', '\\x00', 3, 'of the integrator', '{write}', NULL, NULL, NULL),
    (6, 'a6', '\\x00', 7, 'of nobody', '{write}', NULL, NULL, NULL);
  INSERT INTO assets (id, organization_id, value, type) VALUES (1, 1, 'a.example', 'domain'), (2, 2, 'b.example', 'domain');
  INSERT INTO second_factors (user_id, secret, confirmed) VALUES (2, '\\x00', now());
  INSERT INTO audit_logs (id, timestamp, organization_id, actor_type, actor_id, operation, operation_category, resource_type,
      resource_id, status, metadata)
    SELECT ('0199' || right(gen_random_uuid()::text, 32))::uuid, now() - seconds * interval '1 second', 0, 'user', '0', 'password_reset.' || verb, 'identity',
      'password_reset', resource_id, 'success', metadata::jsonb FROM (VALUES
      (3000, 'create', '1', '{"user_id": 1, "via": "mail"}'), (100, 'complete', '1', '{"user_id": 1}'),
      (3000, 'create', '4', '{"user_id": 4, "via": "mail"}'), (200, 'create', '4', '{"user_id": 4}'),
      (100, 'complete', '4', '{"user_id": 4}'),
      (100, 'create', '5', '{"user_id": 5, "via": "mail"}'),
      (9000, 'create', '6', '{"user_id": 6, "via": "mail"}'), (100, 'complete', '6', '{"user_id": 6}'))
      AS entry (seconds, verb, resource_id, metadata);`;

describe('an upgrade of version 0.1.0', () => {
  // A role of every server, in place of that of the service.
  beforeAll(() =>
    upgrade({ lastMigration: 'CreateSchema1763769600000' }, (old) =>
      old.query(`${FILLED} GRANT SELECT, INSERT ON audit_logs TO pg_monitor`),
    ),
  );
  afterAll(() => source.destroy());

  it('lets keys without a limit open the organizations that their user is in', async () => {
    const opened = await rows('SELECT key_id, organization_id, user_id FROM api_key_organizations ORDER BY 1, 2');
    expect(opened).toEqual([
      { key_id: 1, organization_id: 1, user_id: 1 },
      { key_id: 1, organization_id: 2, user_id: 1 },
      { key_id: 3, organization_id: 1, user_id: 1 },
      { key_id: 3, organization_id: 2, user_id: 1 },
      { key_id: 4, organization_id: 1, user_id: 1 },
      { key_id: 4, organization_id: 2, user_id: 1 },
    ]);
  });

  it('shows the valid ones to their users, and to the owners of the organizations', async () => {
    expect(await rows('SELECT key_id, reason FROM api_key_reviews ORDER BY 1')).toEqual([
      { key_id: 1, reason: 'upgrade' },
      { key_id: 6, reason: 'upgrade' },
    ]);
    const toOwners = await rows('SELECT DISTINCT key_id FROM api_key_organizations WHERE NOT shown_to_owners');
    expect(toOwners).toEqual([{ key_id: 1 }]);
  });

  it('marks users of integrators and users of a mailed link as proved, and no others', async () => {
    expect(await rows('SELECT user_id FROM address_proofs ORDER BY 1')).toEqual([{ user_id: 1 }, { user_id: 3 }]);
  });

  it('makes the audit log a partition with all its entries, and keeps the rights to it while the migration is not complete', async () => {
    const parts = await rows('SELECT tableoid::regclass::text AS part, count(*)::int FROM audit_logs GROUP BY 1');
    expect(parts).toEqual([{ part: 'audit_logs_before', count: 8 }]);
    const rights = ['SELECT', 'INSERT', 'UPDATE'].map(
      (right) => `has_table_privilege('pg_monitor', 'audit_logs', '${right}')`,
    );
    expect(await rows(`SELECT ARRAY[${rights.join()}] AS rights`)).toEqual([{ rights: [true, true, false] }]);
  });

  it('gives the assets thirty days for their proof files, which nobody can guess, and none to later ones', async () => {
    await rows(`INSERT INTO assets (id, organization_id, value, type) VALUES (3, 2, 'c.example', 'domain')`);
    const assets = await rows(
      `SELECT id, length(proof_secret) AS length, round(extract(epoch FROM proof_due - now()) / 86400)::int AS days FROM assets ORDER BY id`,
    );
    expect(assets).toEqual([
      { id: 1, length: 64, days: 30 },
      { id: 2, length: 64, days: 30 },
      { id: 3, length: 72, days: null },
    ]);
  });

  it('keeps the app of an unproved user when the address is proved', async () => {
    expect(await rows('SELECT user_id, is_unproved FROM second_factors')).toEqual([{ user_id: 2, is_unproved: false }]);
  });
});

it('a migration soon gives up waiting for a table that others use, so that nobody waits behind it, and begins again', async () => {
  const url = await emptyDatabase();
  await migrate({ migrationUrl: url, appUrl: url });
  const reading = new Connection({ connectionString: url });
  const other = new Connection({ connectionString: url });
  await Promise.all([reading.connect(), other.connect()]);
  try {
    const last = 'KeepHistoryRetentions1796400100000';
    await other.query(`DELETE FROM migrations WHERE name = '${last}'`);
    await other.query(`ALTER TABLE history_retentions ADD CONSTRAINT fk_history_retentions_organization
      FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE`);
    await reading.query('BEGIN; LOCK organizations IN ACCESS SHARE MODE');
    const migrating = migrate({ migrationUrl: url, appUrl: url });
    const waiting = `SELECT 1 FROM pg_locks WHERE relation = 'organizations'::regclass AND NOT granted`;
    try {
      await eventually(async () => expect((await other.query(waiting)).rows).toHaveLength(1));
      await other.query(`SET statement_timeout = '15s'`);
      await other.query('SELECT count(*) FROM organizations');
    } finally {
      await reading.query('COMMIT');
      await Promise.allSettled([migrating]);
    }
    expect(await migrating).toEqual([last]);
  } finally {
    await Promise.all([reading.end(), other.end()]);
  }
});

type Row = Readonly<Record<string, unknown>>;

type Written = Readonly<Record<string, readonly Row[]>>;

/**
 * What a version wrote itself: its demo after jobs, retests, an import and reports, by table, without the files of the
 * reports. `test/support/record-database.mjs` writes it.
 */
const writtenBy = (version: string): Written =>
  JSON.parse(gunzipSync(readFileSync(join(__dirname, `../support/database-${version}.json.gz`))).toString());

/** As the administrator of the server, who may leave out the constraints while the tables are incomplete. */
async function restore(url: string, all: Written): Promise<void> {
  const database = /\/([^/?]+)(?:\?.*)?$/.exec(url)?.[1] ?? '';
  const admin = new Connection({ connectionString: urlOf(server(), database, 'admin') });
  await admin.connect();
  await admin.query('SET session_replication_role = replica');
  for (const [table, written] of Object.entries(all)) {
    const { rows: columns } = await admin.query<{ name: string; identity: boolean }>(
      `SELECT quote_ident(column_name) AS name, is_identity = 'YES' AS identity FROM information_schema.columns
       WHERE table_name = $1 AND table_schema = 'public' AND is_generated = 'NEVER'`,
      [table],
    );
    const names = columns.map(({ name }) => name).join(', ');
    await admin.query(
      `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
       SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(written)],
    );
    const identity = columns.find((column) => column.identity)?.name;
    if (identity !== undefined)
      await admin.query(
        `SELECT setval(pg_get_serial_sequence('${table}', '${identity}'), max(${identity})) FROM ${table}`,
      );
  }
  await admin.end();
}

describe.each(RELEASES)('an upgrade of the data that version $version wrote', (release) => {
  const all = writtenBy(release.version);
  let api: RunningApi;
  let client: Client;

  beforeAll(async () => {
    const url = await upgrade(release, (_old, from) => restore(from, all));
    api = await startApi({ DATABASE_URL: url });
    useContract(api.app);
    client = new Client(() => api.url, release.member);
  });
  afterAll(async () => {
    await api.app.close();
    await source.destroy();
  });

  it.each(Object.keys(all))('keeps each row of %s', async (table) => {
    const now = (await rows<{ row: Row }>(`SELECT to_json(t) AS row FROM ${table} t`)).map(({ row }) => row);
    for (const written of all[table] ?? []) expect(now).toContainEqual(expect.objectContaining(written));
  });

  it('is read by the API with the keys from before', async () => {
    const { status, body } = await client.get('/v1/organizations/1/findings/');
    expect(status).toBe(200);
    const ids = all['findings']?.filter((row) => row['organization_id'] === 1).map(({ id }) => id);
    expect(body.findings.map(({ id }: { id: number }) => id).toSorted()).toEqual(ids?.toSorted());
    expect((await client.get('/v1/organizations/2/findings/')).status).toBe(404);
  });
});

describe('an upgrade of the data that version 0.1.0 wrote', () => {
  beforeAll(async () => {
    const [first] = RELEASES;
    if (first !== undefined) await upgrade(first, (_old, from) => restore(from, writtenBy(first.version)));
  });
  afterAll(() => source.destroy());

  it('asks for the order of the findings that exist, and once more for those that the previous version records', async () => {
    const asked = await rows(
      `SELECT reference, run_at > created AS later FROM work WHERE kind = 'finding.beliefs' ORDER BY id`,
    );
    expect(asked).toEqual([
      { reference: 'upgrade', later: false },
      { reference: 'upgrade again', later: true },
    ]);
  });

  it('leaves off what is on for new organizations', async () => {
    expect(await rows('SELECT DISTINCT second_look_hours FROM organizations')).toEqual([{ second_look_hours: null }]);
  });
});
