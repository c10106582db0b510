import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ProcessUser } from './process-user';
import { Binaries } from './binaries';
import { EmbeddedPostgres } from './embedded-postgres';
import { processStart } from './processes';
import { StartRefused } from './start-refused';

const project = resolve(__dirname, '../../..');
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;
const onLinux = process.platform === 'linux' ? it : it.skip;

const withoutSync = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

let folder: string;
let prepared: string;
const running = new Set<EmbeddedPostgres>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-spec-')));
  chmodSync(folder, 0o755);
  prepared = join(folder, 'prepared');
  const postgres = await start(prepared);
  await query(postgres, 'postgres', 'create table kept (what text)');
  await postgres.stop('fast');
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await Promise.all(Array.from(running, (postgres) => postgres.stop('immediate')));
  running.clear();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Copies a data folder with a complete cluster, which is faster than initdb. */
function copyOfPrepared(name: string): string {
  const dataDir = join(folder, name);
  execFileSync('cp', ['-a', prepared, dataDir]);
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await EmbeddedPostgres.start({ dataDir, settings: withoutSync });
  running.add(postgres);
  return postgres;
}

async function query(
  postgres: EmbeddedPostgres,
  role: 'postgres' | 'assay_owner' | 'assay_app',
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url('assay', role) });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** Starts an instance in another process, which prints a line of JSON with its folder or its error. */
function startElsewhere(
  dataDir: string,
  { path = process.env['PATH'], ...identity }: { path?: string; uid?: number; gid?: number } = {},
): { child: ChildProcess; output: Promise<string> } {
  const script = `
    const { transformFileSync } = require('@swc/core');
    require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file).code, file);
    const { EmbeddedPostgres } = require('./src/apps/postgres/embedded-postgres.ts');
    EmbeddedPostgres.start({ dataDir: ${JSON.stringify(dataDir)}, settings: ${JSON.stringify(withoutSync)} }).then(
      (postgres) => {
        process.on('SIGTERM', () => process.exit());
        console.log(JSON.stringify({ home: postgres.storageDir }));
      },
      (error) => console.log(JSON.stringify({ refused: error.message })),
    );`;
  const child = spawn(process.execPath, ['-e', script], {
    cwd: project,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...identity,
  });
  children.add(child);
  const output = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  return { child, output };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Ends the process with SIGTERM, and waits for its exit. */
async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A PATH with only these programs, like a machine without the others. */
function pathWith(...programs: string[]): string {
  const path = join(folder, `path-${programs.join('-')}`);
  mkdirSync(path);
  const known = (process.env['PATH'] ?? '').split(delimiter);
  for (const program of programs) {
    const place = known.map((entry) => join(entry, program)).find((file) => existsSync(file));
    if (place !== undefined) symlinkSync(place, join(path, program));
  }
  return path;
}

const serverPid = (home: string): number =>
  Number.parseInt(readFileSync(join(home, 'cluster', 'postmaster.pid'), 'utf8'), 10);

const someUser = (): { uid: number; gid: number } => {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })));
  return { uid: uid ?? 0, gid: gid ?? 0 };
};

describe('the first start', () => {
  it('creates a database that the role of the service uses but does not own', async () => {
    const postgres = await start(join(folder, 'new', 'data'));
    expect(postgres.storageDir).toBe(join(folder, 'new', 'data'));
    const [role] = await query(
      postgres,
      'assay_app',
      `select current_user as name, rolsuper as super, rolcreatedb or rolcreaterole as creates,
              pg_has_role('assay_owner', 'member') as owner from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({ name: 'assay_app', super: false, creates: false, owner: false });
    await expect(query(postgres, 'assay_app', 'create table mine (id int)')).rejects.toThrow('permission denied');
    await query(postgres, 'assay_owner', 'create table theirs (id int)');
    const source = await new DataSource({ type: 'postgres', url: postgres.url() }).initialize();
    expect(await source.query('select current_database() as name')).toEqual([{ name: 'assay' }]);
    await source.destroy();
  });

  it('requires the password, and listens on no port', async () => {
    const postgres = await start(copyOfPrepared('closed'));
    const wrong = new Client({ connectionString: postgres.url().replace(/:[^:@]+@/, ':guess@') });
    await expect(wrong.connect()).rejects.toThrow('password authentication failed');
    expect(await query(postgres, 'postgres', 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    const socketFolder = new URL(postgres.url().replace('@/', '@x/')).searchParams.get('host') ?? '';
    expect(statSync(socketFolder).mode & 0o077).toBe(0);
  });

  it('creates the database after a first start that was killed in initdb', async () => {
    const dataDir = join(folder, 'half');
    mkdirSync(dataDir);
    const appeared = new Promise<void>((resolve) => {
      const watcher = watch(dataDir, (_event, name) => {
        if (!name?.startsWith('cluster.init-')) return;
        watcher.close();
        resolve();
      });
    });
    const { child } = startElsewhere(dataDir);
    await appeared;
    await killed(child);
    expect(existsSync(join(dataDir, 'cluster'))).toBe(false);
    const postgres = await start(dataDir);
    expect(await query(postgres, 'assay_app', 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).sort()).toEqual(['assay-data.txt', 'cluster', 'instance.json']);
  });
});

describe('a later start', () => {
  it('reads the existing data, and removes its temporary files when it stops', async () => {
    const dataDir = copyOfPrepared('again');
    const first = await start(dataDir);
    await query(first, 'postgres', `insert into kept values ('a row')`);
    await first.stop('fast');
    expect(readdirSync(dataDir).sort()).toEqual(['assay-data.txt', 'cluster']);
    const second = await start(dataDir);
    expect(await query(second, 'postgres', 'select what from kept')).toEqual([{ what: 'a row' }]);
  });

  const machines: [string, string[]][] = [
    ['and that setpriv ended with it', ['true', 'setpriv', 'unshare', 'sh']],
    ['and that was abandoned, because setpriv is missing', ['true', 'unshare', 'sh']],
  ];
  for (const [how, programs] of machines) {
    onLinux(`stops a server whose parent was killed ${how}`, async () => {
      const dataDir = copyOfPrepared(`killed-${programs.length}`);
      const { child, output } = startElsewhere(dataDir, { path: pathWith(...programs) });
      expect(JSON.parse(await output)).toEqual({ home: dataDir });
      const abandonedPid = serverPid(dataDir);
      await killed(child);
      const postgres = await start(dataDir);
      expect(processStart(abandonedPid)).toBeUndefined();
      expect(await query(postgres, 'postgres', 'select * from kept')).toEqual([]);
    });
  }

  it('starts although another process has the pid of an exited server', async () => {
    const dataDir = copyOfPrepared('recycled');
    writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), `${process.ppid}\n${dataDir}/cluster\n1\n5432\n/tmp\n`);
    const postgres = await start(dataDir);
    expect(await query(postgres, 'postgres', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('refuses a second instance on the same data, and names the process of the first', async () => {
    const dataDir = copyOfPrepared('shared');
    await start(dataDir);
    const { output } = startElsewhere(dataDir);
    expect(await output).toContain(`Another Assay (process ${process.pid}) is running on the data in ${dataDir}`);
    await expect(EmbeddedPostgres.deleteData(dataDir)).rejects.toThrow('Another Assay');
  });

  it('refuses data of another version of PostgreSQL', async () => {
    const dataDir = copyOfPrepared('older');
    writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '15\n');
    await expect(start(dataDir)).rejects.toThrow(/created by PostgreSQL 15, but this Assay contains \d+\..*--reset/);
    expect(existsSync(join(dataDir, 'instance.json'))).toBe(false);
  });
});

describe('the data folder', () => {
  it('fails with the reason if it is not writable', async () => {
    writeFileSync(join(folder, 'file'), '');
    const refusal = start(join(folder, 'file', 'data'));
    await expect(refusal).rejects.toBeInstanceOf(StartRefused);
    await expect(refusal).rejects.toThrow('is not writable: a part of the path is not a folder');
    await expect(start('/proc/assay')).rejects.toThrow('is not writable');
  });

  it('is refused if it contains other files, and keeps them', async () => {
    const theirs = join(folder, 'theirs');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'thesis.txt'), '');
    await expect(start(theirs)).rejects.toThrow('contains other files');
    await expect(EmbeddedPostgres.deleteData(theirs)).rejects.toThrow('nothing is deleted');
    expect(readdirSync(theirs)).toEqual(['thesis.txt']);
  });

  it('loses only the data of Assay in a reset', async () => {
    const dataDir = copyOfPrepared('deleted');
    writeFileSync(join(dataDir, 'notes.txt'), '');
    await EmbeddedPostgres.deleteData(dataDir);
    expect(readdirSync(dataDir).sort()).toEqual(['assay-data.txt', 'notes.txt']);
  });

  it('gets the links that npm omits without install scripts', () => {
    const copy = Binaries.installed().copyTo(join(folder, 'unlinked'));
    const links = readdirSync(join(copy.folder, 'lib'))
      .map((name) => join(copy.folder, 'lib', name))
      .filter((path) => lstatSync(path).isSymbolicLink());
    for (const link of links) rmSync(link);
    const runs = (): boolean => ProcessUser.choose().canRun(copy.program('initdb'), '--version');
    expect(runs()).toBe(process.platform === 'win32');
    expect(copy.createMissingLinks()).toBe(true);
    expect(runs()).toBe(true);
  });
});

describe('the user that runs PostgreSQL', () => {
  asRoot('can be root, in a folder that only root can access', async () => {
    const closed = join(folder, 'closed-to-others');
    mkdirSync(closed, { mode: 0o700 });
    cpSync(prepared, join(closed, 'data'), { recursive: true });
    chmodSync(join(closed, 'data', 'cluster'), 0o700);
    const postgres = await start(join(closed, 'data'));
    expect(await query(postgres, 'assay_app', 'select current_user')).toEqual([{ current_user: 'assay_app' }]);
  });

  asRoot('can be root without user namespaces: the data is given to nobody, and later back to root', async () => {
    const dataDir = copyOfPrepared('handed-over');
    const { child, output } = startElsewhere(dataDir, { path: pathWith('true', 'sh', 'chown', 'chmod', 'setpriv') });
    expect(JSON.parse(await output)).toEqual({ home: dataDir });
    expect(statSync(join(dataDir, 'cluster')).uid).toBe(someUser().uid);
    await ended(child);
    await start(dataDir);
  });

  asRoot(
    'can be root without user namespaces in a private folder: the data is stored elsewhere, with a link',
    async () => {
      const closed = join(folder, 'closed-to-nobody');
      mkdirSync(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      const { child, output } = startElsewhere(dataDir, { path: pathWith('true', 'sh', 'chown', 'chmod') });
      const answer: { home: string } = JSON.parse(await output);
      try {
        expect(answer.home).toMatch(/^\/var\/(lib|tmp)\/assay-/);
        expect(realpathSync(join(dataDir, 'elsewhere'))).toBe(answer.home);
        await ended(child);
        await EmbeddedPostgres.deleteData(dataDir);
        expect(readdirSync(answer.home)).toEqual(['assay-data.txt']);
      } finally {
        rmSync(answer.home, { recursive: true, force: true });
      }
    },
  );

  const nobodyReadsProject = isRoot && canRead(someUser());
  (nobodyReadsProject ? it : it.skip)(
    'can be an ordinary user, who gets an error for a folder of another user',
    async () => {
      const user = someUser();
      const dataDir = join(folder, 'of-a-user');
      mkdirSync(dataDir);
      chownSync(dataDir, user.uid, user.gid);
      const { child, output } = startElsewhere(dataDir, user);
      expect(JSON.parse(await output)).toEqual({ home: dataDir });
      expect(statSync(join(dataDir, 'cluster')).uid).toBe(user.uid);
      await ended(child);
      const refused = startElsewhere(copyOfPrepared('of-root'), user);
      expect(await refused.output).toContain('is not writable: permission denied');
    },
  );

  it('is the user who starts Assay, or nobody for root', () => {
    const name = ProcessUser.choose().output('id', '-un')?.trim();
    expect(name).toBe(isRoot ? 'nobody' : userInfo().username);
  });
});

function canRead(identity: { uid: number; gid: number }): boolean {
  try {
    execFileSync('cat', [__filename], { stdio: 'ignore', ...identity });
    return true;
  } catch {
    return false;
  }
}
