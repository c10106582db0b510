import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Client as Postgres } from 'pg';
import { program, runCommand } from '../../src/apps/cli/run-command';
import { runWithModules } from '../../src/apps/cli/run-in-domain';
import { CHECKS } from '../../src/engine';
import { SigningKeysService } from '../../src/modules/evidence';
import { SecondFactorService } from '../../src/modules/identity';
import type { Caller } from '../../src/platform/api/caller';
import { seal, unseal } from '../../src/platform/config/secret-key';
import { testConfig, useApi } from '../support/api';
import { emptyDatabase, query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { programOf } from '../support/programs';

/** Each command starts a process, which is slow while other tests run. */
jest.setTimeout(120_000);

const api = useApi();
const make = new Factories(api);

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command in a process of its own, which costs 1.5 s of CPU time: most tests use `cli`. */
async function cliProcess(parameters: string[], input: string | Promise<string> = ''): Promise<Run> {
  const child = spawn(process.execPath, [programOf('cli'), ...parameters], {
    env: { ...process.env, ...(await databaseSettings()) },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(await input);
  return { code: await closed, output };
}

async function databaseSettings(): Promise<Record<string, string>> {
  const { appUrl, ownerUrl } = await testDatabase();
  // A busy machine takes longer to connect than the usual time.
  return { DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl, DATABASE_TIMEOUT_MS: '30000' };
}

/** Runs a command in this process, and captures stdout and stderr. */
async function cli(parameters: string[], settings: Record<string, string> = {}): Promise<Run> {
  const environment = { ...process.env };
  Object.assign(process.env, await databaseSettings(), settings);
  let output = '';
  const writes = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await runCommand(parameters), output };
  } finally {
    for (const write of writes) write.mockRestore();
    process.env = environment;
  }
}

const keyIn = (output: string) => ({
  accessKey: /ak_\w+/.exec(output)?.[0] ?? '',
  secret: /as_[\w-]+/.exec(output)?.[0] ?? '',
});

const email = (): string => `${unique('user').replace(' ', '-')}@example.com`;

it('creates an integrator whose key works at once, and revokes the key', async () => {
  const created = await cliProcess(['create-integrator', unique('Partner'), '--machine-events', '--email', email()]);
  expect(created.code).toBe(0);
  const { client } = { client: make.withCredentials(keyIn(created.output)) };
  expect((await client.get('/v1/me')).body.integrator.machine_events).toBe(true);
  const revoked = await cli(['revoke-key', keyIn(created.output).accessKey]);
  expect(revoked).toEqual({ code: 0, output: `${keyIn(created.output).accessKey} revoked.\n` });
  expect((await cli(['revoke-key', keyIn(created.output).accessKey])).code).toBe(1);
});

it('waits for a password that is typed', async () => {
  const address = email();
  const { id } = await make.organization();
  await cli(['create-user', address, '--organization', String(id), '--role', 'member']);
  const lock = new Postgres({ connectionString: (await testDatabase()).ownerUrl });
  await lock.connect();
  const waiting = `SELECT 1 FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`;
  const afterwards = async (): Promise<string> => {
    await eventually(async () => expect((await lock.query(waiting)).rows).not.toEqual([]), 60_000);
    await lock.query('COMMIT');
    await eventually(async () => expect((await lock.query(waiting)).rows).toEqual([]));
    return 'a long password that was typed\n';
  };
  try {
    await lock.query('BEGIN; LOCK users IN ACCESS EXCLUSIVE MODE');
    expect(await cliProcess(['set-password', address], afterwards())).toEqual({
      code: 0,
      output: 'Password set. All sessions of the user were ended.\n',
    });
  } finally {
    await lock.end();
  }
});

it('encrypts nothing with the key of development where the settings of the service are missing', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-cli-')), 'history.ndjson');
  const missing = { NODE_ENV: '', SECRET_KEY: '' };
  const { code, output } = await cli(['archive-history', file, '--older-than', '400'], missing);
  expect(output).toContain('SECRET_KEY is missing');
  expect(code).toBe(1);
  expect(existsSync(file)).toBe(false);
});

it('creates an organization, a user and a key, each with an audit entry', async () => {
  const created = await cli(['create-organization', unique('By hand'), '--assets-limit', '10']);
  const organization = /\d+/.exec(created.output)?.[0] ?? '';
  const address = email();
  const user = await cliProcess(
    ['create-user', address, '--organization', organization, '--role', 'owner', '--password-stdin'],
    'a long password\n',
  );
  expect(user.code).toBe(0);
  const key = await cli([
    'create-key',
    address,
    '--label',
    'CI',
    '--scopes',
    'read,ci',
    '--organization',
    organization,
    '--expires',
    '2099-01-01',
  ]);
  const client = make.withCredentials(keyIn(key.output));
  expect((await client.get('/v1/me')).body).toMatchObject({
    user: { email: address },
    organizations: [{ id: Number(organization), role: 'owner' }],
    key: {
      label: 'CI',
      scopes: ['read', 'ci'],
      organization_id: Number(organization),
      expires: '2099-01-01T23:59:59.999Z',
    },
  });
  const log = await client.get('/v1/audit-logs/');
  expect(log.body.audit_logs.map((entry: { operation: string }) => entry.operation)).toEqual([
    'api_key.create',
    'user.create',
    'organization.create',
  ]);
  await query(
    `INSERT INTO sessions (token_hash, user_id) SELECT decode(md5(email) || md5(email), 'hex'), id FROM users WHERE email = $1`,
    [address],
  );
  expect((await cliProcess(['set-password', address], 'another long password')).code).toBe(0);
  const [row] = await query<{ hash: string }>('SELECT password_hash AS hash FROM users WHERE email = $1', [address]);
  expect(row?.hash).toMatch(/^\$argon2id\$/);
  const sessions = 'SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1';
  expect(await query(sessions, [address])).toEqual([]);
});

it.each([
  [['create-user', 'nobody'], 'e-mail address'],
  [['create-user', 'a@example.com'], 'Name either --organization or --integrator'],
  [['create-user', 'a@example.com', '--organization', '2147483647'], 'Organization not found'],
  [['add-member', 'nobody@example.com', '--organization', '1'], 'User not found'],
  [['create-user', 'a@example.com', '--organization', '1', '--role', 'king'], 'Allowed choices'],
  [['create-key', 'nobody@example.com'], 'User not found'],
  [['create-key', 'nobody@example.com', '--scopes', 'all'], 'Possible scopes'],
  [['create-key', 'nobody@example.com', '--expires', 'soon'], 'ISO 8601'],
  [['create-organization', '  '], '1 to 200 characters'],
  [['create-organization', 'a\nb'], 'It must be one line: it contains U+000A.'],
])('refuses %j with a message and without a stack', async (parameters, sentence) => {
  const { code, output } = await cli(parameters);
  expect(code).toBe(1);
  expect(output).toContain(sentence);
  expect(output).not.toContain('    at ');
});

it.each([
  [['conquer'], 'unknown command'],
  [['set-password', 'nobody@example.com'], 'User not found'],
])('exits with 1 and a message without a stack for %j in a process of its own', async (parameters, sentence) => {
  const { code, output } = await cliProcess(parameters);
  expect(code).toBe(1);
  expect(output).toContain(sentence);
  expect(output).not.toContain('    at ');
});

it('erases a user with keys and invitations, and keeps audit entries with the id alone', async () => {
  const tenant = await make.organization();
  const owner = await tenant.as('owner');
  const address = email();
  const membership = ['--organization', String(tenant.id), '--role', 'admin'];
  expect((await cli(['create-user', address, ...membership, '--name', 'Ida Erased'])).code).toBe(0);
  const client = make.withCredentials(keyIn((await cli(['create-key', address])).output));
  const { id } = (await client.get('/v1/me')).body.user;
  await query(
    `INSERT INTO invitations (organization_id, email, folded_email, role, token_hash, invited_by, expires)
     VALUES ($1, $2, $2, 'viewer', convert_to($2, 'UTF8'), $3, now())`,
    [tenant.id, address, owner.userId],
  );
  const asset = await make.asset(tenant.id);
  const accepted = `/v1/assets/${asset.id}/accepted-checks/`;
  const decision = { reason: 'Staging.', until: new Date(Date.now() + 86_400_000).toISOString() };
  expect((await client.put(`${accepted}no-https-redirect`, decision)).body.accepted_by).toBe('Ida Erased');
  expect(await cli(['erase-user', address])).toEqual({ code: 0, output: `User ${id} erased.\n` });
  const kept = (await owner.client.get(accepted)).body.accepted_checks;
  expect(kept).toMatchObject([{ check_id: 'no-https-redirect', accepted_by: 'An erased user' }]);
  expect(await query('SELECT 1 FROM api_keys WHERE user_id = $1', [id])).toEqual([]);
  expect(await query('SELECT 1 FROM invitations WHERE email = $1', [address])).toEqual([]);
  const entries = await query<{ operation: string }>(
    'SELECT * FROM audit_logs WHERE resource_id = $1::text OR actor_id = $1::text',
    [id],
  );
  expect(entries.map(({ operation }) => operation)).toContain('user.erase');
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${address}|Ida`));
  expect((await cli(['erase-user', address])).output).toContain('User not found');
});

it('refuses to erase the only owner of an organization, and names the organization', async () => {
  const tenant = await make.organization();
  const { userId, client } = await tenant.as('owner');
  const [user] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  const refused = await cli(['erase-user', user?.email ?? '']);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain(`the only owner of "${tenant.name}" (organization ${tenant.id})`);
  expect((await client.get('/v1/me')).status).toBe(200);
  await tenant.as('owner');
  expect((await cli(['erase-user', user?.email ?? ''])).code).toBe(0);
});

it('refuses to create an expired key', async () => {
  const address = email();
  const { id } = await make.organization();
  expect((await cli(['create-user', address, '--organization', String(id)])).code).toBe(0);
  const refused = await cli(['create-key', address, '--expires', '2020-01-01']);
  expect(refused).toEqual({
    code: 1,
    output: 'The expiry 2020-01-01T23:59:59.999Z is in the past. Choose a later date.\n',
  });
});

it('creates no user if the organization does not exist, and adds an existing user to another organization', async () => {
  const address = email();
  expect((await cli(['create-user', address, '--organization', '2147483647'])).code).toBe(1);
  const one = await make.organization();
  const two = await make.organization();
  expect((await cli(['create-user', address, '--organization', String(one.id), '--role', 'viewer'])).code).toBe(0);
  expect((await cli(['add-member', address, '--organization', String(two.id), '--role', 'admin'])).code).toBe(0);
  const client = make.withCredentials(keyIn((await cli(['create-key', address])).output));
  expect((await client.get('/v1/me')).body.organizations).toEqual([
    { id: two.id, name: two.name, role: 'admin', mcp_write: false },
    { id: one.id, name: one.name, role: 'viewer', mcp_write: false },
  ]);
});

it('reports that a migrated schema is up to date', async () => {
  expect(await cli(['migrate'])).toEqual({ code: 0, output: 'The schema is up to date.\n' });
});

it('names the setting with the database URL when a migration fails', async () => {
  const unreachable = 'postgres://nobody@127.0.0.1:1/none';
  expect(await cli(['migrate'], { MIGRATION_DATABASE_URL: unreachable })).toEqual({
    code: 1,
    output: 'The database in MIGRATION_DATABASE_URL could not be prepared: connect ECONNREFUSED 127.0.0.1:1.\n',
  });
  const database = /(?<=@[^/]*\/)\w+/;
  const empty = database.exec(await emptyDatabase())?.[0] ?? '';
  const app = (await testDatabase()).appUrl.replace(database, empty);
  expect(await cli(['migrate'], { DATABASE_URL: app, MIGRATION_DATABASE_URL: '' })).toEqual({
    code: 1,
    output:
      'The database in DATABASE_URL could not be prepared: permission denied for schema public. Set MIGRATION_DATABASE_URL to the role that owns the tables.\n',
  });
});

it.each([['create-organization', 'Away'], ['migrate']])(
  'reports a database that does not answer without a second attempt: %s',
  async (...parameters) => {
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).resume();
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const DATABASE_URL = `postgres://app@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/assay`;
    const { code, output } = await cli(parameters, { DATABASE_URL, MIGRATION_DATABASE_URL: '' });
    silent.close();
    expect(code).toBe(1);
    expect(output).toMatch(/^The database in DATABASE_URL .*timeout expired/);
    expect(connections).toBe(1);
  },
);

it('says what to do if DATABASE_URL is not set and no Assay is running', async () => {
  const none = { DATABASE_URL: '', MIGRATION_DATABASE_URL: '', ASSAY_DATA: '/nowhere/assay' };
  expect(await cli(['create-organization', 'Nowhere'], none)).toEqual({
    code: 1,
    output:
      'DATABASE_URL is not set, and no Assay is running on the data in /nowhere/assay. Start it with `npm start` in another ' +
      'terminal, or set DATABASE_URL to your database. If `npm start` uses another folder, set the same ASSAY_DATA.\n',
  });
});

/** Runs a command in a process that prints the packages beside its bundle that it has loaded. */
function packagesLoadedBy(parameters: string[]): string[] {
  const script = `
    process.argv.splice(1, 0, 'cli');
    process.on('exit', () => {
      const files = Object.keys(require.cache).flatMap((file) => /node_modules\\/(?!\\.)((@[^/]+\\/)?[^/]+)/.exec(file)?.[1] ?? []);
      process.stdout.write('\\n' + [...new Set(files)].join(' '));
    });
    require(${JSON.stringify(programOf('cli'))});`;
  const { stdout } = spawnSync(process.execPath, ['-e', script, '--', ...parameters], { encoding: 'utf8' });
  return stdout.split('\n').at(-1)?.split(' ').filter(Boolean) ?? [];
}

it.each([['--help'], ['create-key', '--help'], ['create-kye'], ['create-user'], ['create-user', 'a@example.com']])(
  'loads no package beside its bundle for: %s %s',
  (...parameters) => {
    expect(packagesLoadedBy(parameters)).toEqual([]);
  },
);

it('suggests the nearest command', async () => {
  const { code, output } = await cli(['create-kye']);
  expect(code).toBe(1);
  expect(output).toMatch(/unknown command 'create-kye'\n\(Did you mean create-key\?\)\n[^]*npm run cli -- --help/);
});

describe('rotate-secret-key', () => {
  const [old, current, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const keyOf = (text = ''): Buffer => Buffer.from(text, 'base64');
  let database: Postgres;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const { appUrl, ownerUrl } = await testDatabase('_rotation');
    settings = { DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl };
    database = new Postgres({ connectionString: ownerUrl });
    await database.connect();
  });
  afterAll(() => database.end());

  const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await database.query<T>(text, values)).rows;
  const rotate = (keys: Record<string, string | undefined>): Promise<Run> =>
    cli(['rotate-secret-key'], { ...settings, ...(keys as Record<string, string>) });
  const withKeys = async <T>(
    keys: Record<string, string | undefined>,
    work: (app: INestApplicationContext) => Promise<T>,
  ): Promise<T> => runWithModules(await testConfig({ ...settings, ...(keys as Record<string, string>) }), work);

  const addMails = (count: number, key: string | undefined): Promise<object[]> =>
    rows('INSERT INTO mails (sealed) SELECT unnest($1::bytea[])', [
      Array.from({ length: count }, () => seal(Buffer.from('{}'), 'waiting mail', keyOf(key))),
    ]);

  /** A user with an authenticator app whose first code is missing, so that the secret can be shown. */
  async function enrolledUser(): Promise<Caller> {
    const [user] = await rows<{ id: number }>(`INSERT INTO users (email, folded_email) VALUES ($1, $1) RETURNING id`, [
      email(),
    ]);
    return { facts: { key: null, userId: user?.id, email: '' } } as Caller;
  }

  it('encrypts everything with the new key, in pieces, once, and leaves an audit entry', async () => {
    const user = await enrolledUser();
    const read = async (app: INestApplicationContext) => ({
      signingKey: (await app.get(SigningKeysService).current()).id,
      enrollment: await app.get(SecondFactorService).findEnrollment(user),
    });
    const before = await withKeys({ SECRET_KEY: old }, async (app) => {
      await app.get(SecondFactorService).begin(user);
      return read(app);
    });
    expect(before.enrollment?.secret).toMatch(/^[A-Z2-7]+$/);
    // More than two pieces, and some of an interrupted rotation.
    await addMails(450, old);
    await addMails(5, current);
    const both = { SECRET_KEY: current, SECRET_KEY_PREVIOUS: old };
    expect(await withKeys(both, read)).toEqual(before);

    const run = await rotate(both);
    expect(run).toEqual({
      code: 0,
      output: expect.stringContaining(
        '1 signing keys, 1 authenticator secrets, 450 waiting mails, 0 webhooks, 0 channels, 0 trackers, 0 identity providers, 0 accounts of assets, 0 refresh tokens.',
      ),
    });
    expect(await withKeys({ SECRET_KEY: current }, read)).toEqual(before);
    const mails = await rows<{ sealed: Buffer }>('SELECT sealed FROM mails');
    expect(mails).toHaveLength(455);
    for (const { sealed } of mails) expect(unseal(sealed, 'waiting mail', [keyOf(current)], '').toString()).toBe('{}');

    expect((await rotate(both)).output).toContain(
      '0 signing keys, 0 authenticator secrets, 0 waiting mails, 0 webhooks, 0 channels, 0 trackers, 0 identity providers, 0 accounts of assets, 0 refresh tokens.',
    );
    const entries = await rows(
      `SELECT actor_type, metadata FROM audit_logs WHERE operation = 'secret_key.rotate' AND resource_type = 'secret_key'`,
    );
    expect(entries).toEqual([
      {
        actor_type: 'system',
        metadata: {
          via: 'cli',
          signing_keys: 1,
          second_factors: 1,
          mails: 450,
          webhooks: 0,
          channels: 0,
          trackers: 0,
          providers: 0,
          accounts: 0,
          identities: 0,
        },
      },
    ]);
  });

  it('names the secret and changes nothing if the previous key is wrong', async () => {
    await rows('DELETE FROM mails');
    await addMails(1, old);
    await addMails(1, other);
    const stored = await rows('SELECT id, sealed FROM mails ORDER BY id');
    const { code, output } = await rotate({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: old });
    expect(code).toBe(1);
    expect(output).toMatch(/Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key that waiting mail is encrypted with/);
    expect(await rows('SELECT id, sealed FROM mails ORDER BY id')).toEqual(stored);
    await rows('DELETE FROM mails');
  });

  it('leaves an audit entry when it ends before everything is encrypted', async () => {
    const entries = () => rows(`SELECT id FROM audit_logs WHERE operation = 'secret_key.rotate'`);
    const before = await entries();
    await addMails(1, old);
    await rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left'; END $$`);
    await rows('CREATE TRIGGER refuse BEFORE UPDATE ON mails FOR EACH ROW EXECUTE FUNCTION refuse()');
    expect((await rotate({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: old })).code).toBe(1);
    expect(await entries()).toHaveLength(before.length + 1);
    await rows('DROP FUNCTION refuse() CASCADE');
    await rows('DELETE FROM mails');
  });

  it('keeps a retired signing key whose SECRET_KEY is lost', async () => {
    const sealed = seal(Buffer.from('lost'), 'signing key lost', keyOf(other));
    await rows(`INSERT INTO signing_keys (id, public_key, private_key, retired) VALUES ('lost', '', $1, now())`, [
      sealed,
    ]);
    expect((await rotate({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: old })).code).toBe(0);
    expect(await rows(`SELECT private_key FROM signing_keys WHERE id = 'lost'`)).toEqual([{ private_key: sealed }]);
  });

  it('says what to set if there is no second key, or the same key twice', async () => {
    expect((await rotate({ SECRET_KEY: current })).output).toContain('Set SECRET_KEY to the new key and');
    expect((await rotate({ SECRET_KEY: current, SECRET_KEY_PREVIOUS: current })).output).toContain(
      'SECRET_KEY_PREVIOUS must be set together with a different SECRET_KEY',
    );
  });
});

describe('docs/cli.md', () => {
  const documentation = readFileSync(join(__dirname, '../../docs/cli.md'), 'utf8');
  const commands = program().commands;

  it('is about every command', () => {
    const documented = [...documentation.matchAll(/^### (.*)$/gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual(commands.map((command) => command.name()).sort());
  });

  it.each(commands.map((command) => [command.name(), command] as const))(
    'has an example of %s, which its help also shows, and all its options',
    async (name, command) => {
      const section = documentation.split('\n### ').find((text) => text.startsWith(`${name}\n`)) ?? '';
      const { output } = await cli([name, '--help']);
      const [, example] = /\nExample:\n {2}(npm run cli -- .*)\n$/.exec(output) ?? [];
      expect(example).toMatch(new RegExp(`^npm run cli -- ${name}`));
      expect(section).toContain(`\n$ ${example}\n`);
      for (const { long } of command.options) expect(section).toContain(`\`${long}`);
    },
  );
});

it('loads a catalog of exploited vulnerabilities, says what it did, and refuses a file with a mistake', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-cli-')), 'kev.json');
  const write = (cveID: string): void =>
    writeFileSync(
      file,
      JSON.stringify({
        catalogVersion: '2099.02.01',
        dateReleased: '2099-02-01T10:00:00Z',
        vulnerabilities: [{ cveID, dateAdded: '2099-01-31' }],
      }),
    );
  write('CVE-2099-7777');
  const loaded = await cli(['load-kev', file]);
  expect(loaded).toEqual({
    code: 0,
    output: expect.stringContaining(
      'Loaded 1 known exploited vulnerabilities of 2099-02-01T10:00:00.000Z (2099.02.01).',
    ),
  });
  expect((await cli(['load-kev', file])).output).toContain('loaded already. Nothing was changed.');
  write('7777');
  const refused = await cli(['load-kev', file]);
  expect(refused).toEqual({ code: 1, output: expect.stringContaining('vulnerabilities[0].cveID must be a CVE') });
  const missing = await cli(['load-epss', `${file}.csv`]);
  expect(missing).toEqual({ code: 1, output: expect.stringContaining('Cannot read') });
  await query('DELETE FROM kev_entries');
  await query('DELETE FROM vulnerability_sources');
  await query(`DELETE FROM work WHERE kind = 'finding.vulnerability_copies'`);
});

describe('load-templates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  const write = (file: string, rest: string): void => writeFileSync(join(folder, file), rest);
  const templateOf = (id: string, words: string, method = 'GET'): string =>
    `id: ${id}\ninfo: {name: A sample, severity: high, tags: "Panel,cve"}\nhttp:\n  - method: ${method}\n    path: ["{{BaseURL}}/a"]\n    matchers: [{type: word, words: [${words}]}]\n`;
  const load = async (...options: string[]): Promise<Run> => {
    const { code, output } = await cli(['load-templates', folder, ...options]);
    return { code, output: output.replaceAll(`${folder}/`, '') };
  };
  const library = () =>
    query(`SELECT id, c.version, severity, tags, retired IS NOT NULL AS retired, array_agg(v.version ORDER BY v.version) AS versions
      FROM library_checks c JOIN library_check_versions v ON check_id = id GROUP BY id ORDER BY id`);

  // Other specs load templates, too.
  beforeAll(() => query('DELETE FROM library_checks'));
  afterAll(async () => {
    await query('DELETE FROM library_checks');
    rmSync(folder, { recursive: true });
  });

  it('loads what is new or changed, keeps all versions, and says what it refuses', async () => {
    write('one.yaml', templateOf('one', 'a'));
    write('two.yml', templateOf('two', 'a', 'POST'));
    mkdirSync(join(folder, '.github'));
    write('.github/workflow.yml', 'on: push');
    expect(await load()).toEqual({
      code: 0,
      output: [
        'new          one.yaml: http:one, version 1',
        'new          two.yml: http:two, version 1',
        '  not in jobs: sends POST',
        '',
        '2 files: 2 new, 0 new versions, 0 unchanged, 0 refused. Jobs can run 1 of them.',
        '',
      ].join('\n'),
    });
    write('one.yaml', templateOf('one', 'b'));
    write('two.yml', 'id: two\ninfo: {name: A sample}\nhttp:\n  - race: true\n    path: ["{{BaseURL}}/a"]\n');
    write('three.yaml', templateOf('same', 'a'));
    write('four.yaml', templateOf('same', 'b'));
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from([0xe9]));
    write('large.yaml', `# ${'a'.repeat(262_144)}`);
    const second = await load();
    expect(second.code).toBe(1);
    expect(second.output.split('\n')).toEqual([
      'refused      four.yaml',
      '  line 1: id: same is also the id of three.yaml',
      'refused      large.yaml',
      '  line 1: the file has 262146 bytes; a template has at most 262144',
      'refused      latin.yaml',
      '  line 1: the file is not UTF-8',
      'new version  one.yaml: http:one, version 2',
      'refused      three.yaml',
      '  line 1: id: same is also the id of four.yaml',
      'refused      two.yml',
      '  line 4: http[0].race is not supported: requests are sent one after the other',
      '',
      '6 files: 0 new, 1 new versions, 0 unchanged, 5 refused. Jobs can run 1 of them.',
      '5 of 6 files are refused. The others are loaded. Use --allow-refused if that is intended.',
      '',
    ]);
    expect((await load('--allow-refused')).code).toBe(0);
    const facts = { severity: 4, tags: ['panel', 'cve'], retired: false };
    expect(await library()).toEqual([
      { id: 'one', version: 2, versions: [1, 2], ...facts },
      { id: 'two', version: 1, versions: [1], ...facts },
    ]);
  });

  it('retires what the folder no longer has, except what is only refused, and restores it', async () => {
    rmSync(join(folder, 'one.yaml'));
    expect((await load('--retire', '--allow-refused')).output).toContain('retired      http:one\n');
    expect(await library()).toMatchObject([
      { id: 'one', retired: true },
      { id: 'two', retired: false },
    ]);
    write('one.yaml', templateOf('one', 'b'));
    expect((await load('--allow-refused')).output).toContain('restored     one.yaml: http:one, version 2\n');
    expect(await library()).toMatchObject([{ retired: false }, {}]);
    const entries = await query<{ metadata: object }>(
      `SELECT metadata FROM audit_logs WHERE operation = 'check_library.load' AND metadata ->> 'via' = 'cli' ORDER BY id`,
    );
    expect(entries.map(({ metadata }) => metadata)).toEqual([
      { via: 'cli', new: 2, new_versions: 0, restored: 0, retired: 0 },
      { via: 'cli', new: 0, new_versions: 1, restored: 0, retired: 0 },
      { via: 'cli', new: 0, new_versions: 0, restored: 0, retired: 1 },
      { via: 'cli', new: 0, new_versions: 0, restored: 1, retired: 0 },
    ]);
  });

  it('stores the values of payload files with the template, so that a changed file makes a new version', async () => {
    mkdirSync(join(folder, 'lists'));
    write('lists/versions.txt', '1.0\n2.0\n');
    const template = (values: string): string =>
      templateOf('payloads', 'a').replace('/a"]', `/{{v}}"]\n    payloads: {v: ${values}}`);
    write('payloads.yaml', template('lists/versions.txt'));
    expect((await load('--allow-refused')).output).toContain('new          payloads.yaml: http:payloads, version 1\n');
    write('lists/versions.txt', '3.0\n');
    expect((await load('--allow-refused')).output).toContain('new version  payloads.yaml: http:payloads, version 2\n');
    const sources = await query('SELECT source FROM library_check_versions WHERE check_id = $1 ORDER BY version', [
      'payloads',
    ]);
    expect(sources).toEqual([{ source: template('["1.0", "2.0"]') }, { source: template('["3.0"]') }]);

    rmSync(join(folder, 'lists'), { recursive: true });
    const refused = await load('--allow-refused', '--retire');
    expect(refused.output).toContain('http[0].payloads.v: lists/versions.txt is not in ');
    expect(refused.output).not.toContain('retired      http:payloads');
    rmSync(join(folder, 'payloads.yaml'));
    await query(`DELETE FROM library_checks WHERE id = 'payloads'`);
  });

  it('lists what is loaded after the built-in checks, with filters, and reads each with its versions', async () => {
    const { client } = await make.member((await make.organization()).id, 'viewer');
    const ids = async (parameters: string): Promise<string[]> =>
      (await client.get(`/v1/checks?${parameters}`)).body.checks.map(({ id }: { id: string }) => id);
    const all: string[] = [];
    for (let path: string | undefined = '/v1/checks?per_page=50'; path !== undefined;) {
      const { body, headers } = await client.get(path);
      all.push(...body.checks.map(({ id }: { id: string }) => id));
      path = /<[^>]*(\/v1\/checks[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(all).toEqual([...CHECKS.map(({ id }) => id), 'http:two', 'http:one']);
    expect(await ids('source=loaded')).toEqual(['http:two', 'http:one']);
    expect(await ids('tag=PANEL&runs_in_jobs=true')).toEqual(['http:one']);
    expect(await ids('tag=panel&runs_in_jobs=false')).toEqual(['http:two']);
    expect(await ids('q=A%20SAMPLE&per_page=1')).toEqual(['http:two']);
    expect(await ids('tag=built-in&severity=critical')).toEqual(
      CHECKS.filter(({ severity }) => severity === 'critical').map(({ id }) => id),
    );
    expect(await ids('source=built_in&cwe=527')).toEqual(['exposed-git', 'exposed-svn']);
    expect((await client.get('/v1/checks?source=loaded&per_page=1')).body.checks).toEqual([
      {
        id: 'http:two',
        title: 'A sample',
        severity: 'high',
        cwe: [],
        tags: ['panel', 'cve'],
        source: 'loaded',
        version: 1,
        loaded: expect.any(String),
        detects: '',
        runs_in_jobs: false,
        not_in_jobs_reason: 'it sends POST, which may change state on the target',
      },
    ]);
    const versioned = async (parameters = '') => (await client.get(`/v1/checks/http:one${parameters}`)).body.check;
    expect(await versioned()).toMatchObject({ version: 2, versions: [1, 2], template: templateOf('one', 'b') });
    expect(await versioned('?version=1')).toMatchObject({ version: 1, template: templateOf('one', 'a') });
    expect((await client.get('/v1/checks/http:one?version=3')).status).toBe(404);
    expect((await client.get('/v1/checks/exposed-git')).body.check).toMatchObject({
      source: 'built_in',
      template: null,
    });
    expect((await client.get('/v1/checks/http:none')).status).toBe(404);
    rmSync(join(folder, 'one.yaml'));
    await load('--retire', '--allow-refused');
    expect(await ids('source=loaded')).toEqual(['http:two']);
    expect(await versioned()).toMatchObject({ retired: expect.any(String), template: templateOf('one', 'b') });
  });
});
