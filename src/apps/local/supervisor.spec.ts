import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { freePort } from '../../engine/testing/real-server';
import type { Demo } from './demo-file';
import { LogGate } from './log-gate';
import { readFlags, readOptions } from './options';
import { processStart, signal } from './postgres/processes';
import { Supervisor } from './supervisor';

/** Stand-ins for the programs, which do what the supervisor asks of them, or by order the opposite. */
const api = `
  const { createServer } = require('node:http');
  if (process.env.API_FAILS) { console.error('api: no luck'); process.exit(7); }
  const server = createServer((request, response) => response.end(JSON.stringify({
    pid: process.pid, keys: Object.keys(process.env).filter((key) => key.includes('DATABASE') && process.env[key]),
    egress: process.env.EGRESS_ALLOW, secretKeyFile: process.env.SECRET_KEY_FILE,
  })));
  server.listen(process.env.PORT, () => process.send({ type: 'ready' }));
  process.on('SIGTERM', () => process.env.API_IS_STUBBORN || process.exit());
  process.on('disconnect', () => process.exit());`;
const worker = `
  console.log('worker ' + process.pid + ' works');
  process.send({ type: 'ready' });
  process.on('SIGTERM', () => process.exit());
  process.on('disconnect', () => process.exit());`;
const demoTarget = `
  console.log('target ' + process.pid + ' knows ' + Object.keys(process.env).sort());
  const server = require('node:http').createServer((request, response) => response.end('weak'));
  server.listen(process.env.DEMO_TARGET_PORT, '127.0.0.1', () => process.send({ type: 'ready' }));
  process.on('SIGTERM', () => process.exit());
  process.on('disconnect', () => process.exit());`;
const seeder = `
  const caller = { email: 'a@b.example', password: 'p', api_key: 'key', api_secret: 'secret' };
  require('node:fs').writeFileSync(process.env.DEMO_FILE, JSON.stringify({
    base_url: process.env.BASE_URL, demo_target_url: process.env.DEMO_TARGET_URL || null,
    organizations: [{ id: 4, name: 'Acme', users: [{ ...caller, role: 'owner' }] }],
    integrator: { ...caller, organization_ids: [] },
  }), { mode: 0o600 });`;
const targetAdder = `
  if (process.env.ADDER_FAILS) process.exit(3);
  const { readFileSync, writeFileSync } = require('node:fs');
  const demo = JSON.parse(readFileSync(process.env.DEMO_FILE, 'utf8'));
  demo.demo_target_url = process.env.DEMO_TARGET_URL;
  writeFileSync(process.env.DEMO_FILE, JSON.stringify(demo));`;
const keyRetirer = `console.log('retired', process.env.SECRET_KEY_FILE ? 'with a key file' : 'without a key file');`;
const programs = { api, worker, seeder, demoTarget, targetAdder, keyRetirer };

let folder: string;
let port: number;
let targetPort: number;
let current: { supervisor: Supervisor; run: Promise<void> } | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-spec-'));
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, `${name}.js`), program);
  [port, targetPort] = [await freePort(), await freePort()];
});

afterEach(async () => {
  await current?.supervisor.stop();
  current = undefined;
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that it prints, and a way to wait for a piece of it. */
class Screen extends PassThrough {
  text = '';
  constructor() {
    super();
    this.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.text);
      if (match) return match;
      await once(this, 'data');
    }
  }
}

function start(args: string[] = [], environment: Record<string, string> = {}) {
  const screen = new Screen();
  const given = {
    PATH: process.env['PATH'],
    PORT: String(port),
    DEMO_TARGET_PORT: String(targetPort),
    ASSAY_DATA: join(folder, 'data'),
    ...environment,
  };
  const fileOf = (name: keyof typeof programs): string => join(folder, `${name}.js`);
  const files = {
    api: fileOf('api'),
    worker: fileOf('worker'),
    seeder: fileOf('seeder'),
    demoTarget: fileOf('demoTarget'),
    targetAdder: fileOf('targetAdder'),
    keyRetirer: fileOf('keyRetirer'),
  };
  const options = readOptions(readFlags(args), given, folder);
  const supervisor = new Supervisor(options, files, given, new LogGate(screen));
  const run = supervisor.run();
  // Whoever waits for a word on the screen need not wait any longer.
  run.catch((error: Error) => screen.destroy(error));
  current = { supervisor, run };
  return { supervisor, run, screen, options };
}

interface ApiAnswer {
  pid: number;
  keys: string[];
  egress?: string;
  secretKeyFile?: string;
}

async function askApi(atPort = port): Promise<ApiAnswer> {
  const response = await fetch(`http://127.0.0.1:${atPort}/`, { headers: { Connection: 'close' } });
  const answer: ApiAnswer = JSON.parse(await response.text());
  return answer;
}

const demoOnDisk = (): Demo => JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8'));
const secretKey = (): string => readFileSync(join(folder, 'data', 'secret-key'), 'utf8');
const targetUrl = (): string => `http://127.0.0.1:${targetPort}/`;
const answersOfTarget = async (): Promise<string | undefined> => {
  try {
    return await (await fetch(targetUrl(), { headers: { Connection: 'close' } })).text();
  } catch {
    return undefined;
  }
};
const postgresPid = (): number =>
  Number.parseInt(readFileSync(join(folder, 'data', 'cluster', 'postmaster.pid'), 'utf8'), 10);

describe('npm start', () => {
  it('starts everything, says how to use it, and stops everything', async () => {
    const { supervisor, run, screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    await screen.shows(/worker \d+ works/);
    expect(screen.text).toContain(`curl -u 'key:secret' http://localhost:${port}/v1/organizations/`);
    expect(screen.text.indexOf('works')).toBeGreaterThan(screen.text.indexOf('Ctrl-C'));
    expect(statSync(join(folder, 'data', 'demo.json')).mode & 0o777).toBe(0o600);
    const { pid, keys } = await askApi();
    expect(keys).toEqual(['DATABASE_URL']);
    const database = postgresPid();
    expect(await answersOfTarget()).toBe('weak');
    await supervisor.stop();
    await run;
    expect([pid, database].map(processStart)).toEqual([undefined, undefined]);
    expect(await answersOfTarget()).toBeUndefined();
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('keeps demo.json true when the port changes, and makes no demo data twice', async () => {
    const { screen } = start([], { PORT: String(port + 1) });
    await screen.shows(/Ctrl-C stops everything/);
    expect(screen.text).not.toContain('Making the demo data');
    expect(demoOnDisk().base_url).toBe(`http://localhost:${port + 1}`);
    expect(statSync(join(folder, 'data', 'demo.json')).mode & 0o777).toBe(0o600);
  });

  it('makes a key for secrets once, which stays with the database', async () => {
    const { screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    expect((await askApi()).secretKeyFile).toBe(join(folder, 'data', 'secret-key'));
    expect(statSync(join(folder, 'data', 'secret-key')).mode & 0o777).toBe(0o600);
    expect(Buffer.from(secretKey(), 'base64')).toHaveLength(32);
    expect(screen.text).not.toContain('retired');
  });

  it('retires the signing key where it is another one: of the user, the kept one again, one for a folder without', async () => {
    const kept = secretKey();
    const ofUser = start([], { SECRET_KEY: randomBytes(32).toString('base64') });
    await ofUser.screen.shows(/Ctrl-C stops everything[^]*retired/);
    expect((await askApi()).secretKeyFile).toBeUndefined();
    await ofUser.supervisor.stop();
    const again = start();
    await again.screen.shows(/Ctrl-C stops everything[^]*retired without a key file/);
    expect(secretKey()).toBe(kept);
    await again.supervisor.stop();
    rmSync(join(folder, 'data', 'secret-key'));
    const { screen } = start();
    await screen.shows(/Ctrl-C stops everything[^]*retired/);
    expect(secretKey()).not.toBe(kept);
  });

  it('begins anew with --reset', async () => {
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify({ ...demoOnDisk(), base_url: 'old' }));
    const trace = join(folder, 'data', 'cluster', 'trace');
    writeFileSync(trace, '');
    const { screen } = start(['--reset']);
    await screen.shows(/Making the demo data[^]*Ctrl-C stops everything/);
    expect(existsSync(trace)).toBe(false);
  });

  it('opens the way to the demo target, beside what the user has opened, and gives it nothing of the service', async () => {
    const { screen } = start([], { EGRESS_ALLOW: '127.0.0.1:9', SECRET: 'of the user' });
    const [, knows] = await screen.shows(/target \d+ knows (.*)/);
    expect(knows?.split(',').filter((key) => key !== 'NODE_CHANNEL_FD')).toEqual(['DEMO_TARGET_PORT']);
    expect((await askApi()).egress).toBe(`127.0.0.1:9,127.0.0.1:${targetPort}`);
    expect(demoOnDisk().demo_target_url).toBe(targetUrl());
    expect(screen.text).toContain('WEAK ON PURPOSE');
  });

  it('leaves the demo target out when told so', async () => {
    const { screen } = start([], { DEMO_TARGET: 'off' });
    await screen.shows(/Ctrl-C stops everything/);
    expect(await answersOfTarget()).toBeUndefined();
    expect((await askApi()).egress).toBeUndefined();
    expect(demoOnDisk().demo_target_url).toBeNull();
    expect(screen.text).not.toMatch(/demo target/i);
  });

  it('adds the demo target to demo data that do not have it', async () => {
    const { demo_target_url: _target, ...older } = demoOnDisk();
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify(older));
    const { screen } = start();
    await screen.shows(/Adding the demo target[^]*Ctrl-C stops everything/);
    expect(screen.text).not.toContain('Making the demo data');
    expect(demoOnDisk().demo_target_url).toBe(targetUrl());
  });

  it('starts without it in the demo data where it cannot be added', async () => {
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify({ ...demoOnDisk(), demo_target_url: 'elsewhere' }));
    const { screen } = start([], { ADDER_FAILS: 'yes' });
    await screen.shows(/could not be added to the demo data \(it ended with exit code 3\)[^]*Ctrl-C stops everything/);
    expect(demoOnDisk().demo_target_url).toBeNull();
  });

  it('starts a demo target again that died', async () => {
    const { screen } = start();
    const [, first] = await screen.shows(/target (\d+) knows/);
    signal(Number(first), 'SIGKILL');
    await screen.shows(/The demo target ended by SIGKILL; it starts again in 1 s\.[^]*target \d+ knows/);
  });

  it('starts a worker again that died', async () => {
    const { screen } = start();
    const [, first] = await screen.shows(/worker (\d+) works/);
    signal(Number(first), 'SIGKILL');
    await screen.shows(/The worker ended by SIGKILL; it starts again in 1 s\./);
    const [, second] = await screen.shows(/again in 1 s[^]*worker (\d+) works/);
    expect(processStart(Number(second))).toBeDefined();
  });

  it('stops everything when the API dies, and says so', async () => {
    const { run, screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    const database = postgresPid();
    signal((await askApi()).pid, 'SIGKILL');
    await expect(run).rejects.toThrow('The API ended by SIGKILL: everything is stopped.');
    expect(processStart(database)).toBeUndefined();
  });

  it('stops everything when PostgreSQL dies, and says so', async () => {
    const { run, screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    signal(postgresPid(), 'SIGKILL');
    await expect(run).rejects.toThrow('PostgreSQL ended: everything is stopped.');
  });

  it('does not start without the API', async () => {
    const { run } = start([], { API_FAILS: 'yes' });
    await expect(run).rejects.toThrow('The API did not start: it ended with exit code 7.');
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('stops also when the API will not', async () => {
    const { supervisor, screen } = start([], { API_IS_STUBBORN: 'yes' });
    await screen.shows(/Ctrl-C stops everything/);
    await supervisor.stop();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('can be stopped while it starts', async () => {
    const { supervisor, run, screen } = start();
    await supervisor.stop();
    await run;
    expect(screen.text).toBe('');
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('names the port that is taken, before it starts anything', async () => {
    const taken = createServer().listen(port);
    await once(taken, 'listening');
    const { run } = start();
    await expect(run).rejects.toThrow(
      `Port ${port} is taken by another program. Choose another one: PORT=${port + 1} npm start`,
    );
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
    taken.close();
  });

  it('keeps the demo data of another database out of a folder that is in use', async () => {
    const { run } = start(['--demo'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(run).rejects.toThrow(/holds the embedded database.*ASSAY_DATA=/);
  });

  it('says that the database of DATABASE_URL does not answer', async () => {
    const { run } = start([], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(run).rejects.toThrow(
      'The database that DATABASE_URL names could not be prepared: connect ECONNREFUSED 127.0.0.1:1',
    );
  });
});
