import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Demo } from './demo-file';
import { LogGate } from './log-gate';
import { readFlags, readOptions } from './options';
import { processStart, signal } from './postgres/processes';
import { Supervisor } from './supervisor';

/** Stand-ins for the three programs, which do what the supervisor asks of them, or by order the opposite. */
const api = `
  const { createServer } = require('node:http');
  if (process.env.API_FAILS) { console.error('api: no luck'); process.exit(7); }
  const server = createServer((request, response) => response.end(JSON.stringify({
    pid: process.pid, keys: Object.keys(process.env).filter((key) => key.includes('DATABASE') && process.env[key]),
  })));
  server.listen(process.env.PORT, () => process.send({ type: 'ready' }));
  process.on('SIGTERM', () => process.env.API_IS_STUBBORN || process.exit());
  process.on('disconnect', () => process.exit());`;
const worker = `
  console.log('worker ' + process.pid + ' works');
  process.send({ type: 'ready' });
  process.on('SIGTERM', () => process.exit());
  process.on('disconnect', () => process.exit());`;
const seeder = `
  const caller = { email: 'a@b.example', password: 'p', api_key: 'key', api_secret: 'secret' };
  require('node:fs').writeFileSync(process.env.DEMO_FILE, JSON.stringify({
    base_url: process.env.BASE_URL,
    organizations: [{ id: 4, name: 'Acme', users: [{ ...caller, role: 'owner' }] }],
    integrator: { ...caller, organization_ids: [] },
  }), { mode: 0o600 });`;

let folder: string;
let port: number;
let current: { supervisor: Supervisor; run: Promise<void> } | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-spec-'));
  for (const [name, program] of Object.entries({ api, worker, seeder }))
    writeFileSync(join(folder, `${name}.js`), program);
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const address = probe.address();
  port = typeof address === 'object' && address ? address.port : 0;
  probe.close();
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
  const given = { PATH: process.env['PATH'], PORT: String(port), ASSAY_DATA: join(folder, 'data'), ...environment };
  const programs = {
    api: join(folder, 'api.js'),
    worker: join(folder, 'worker.js'),
    seeder: join(folder, 'seeder.js'),
  };
  const options = readOptions(readFlags(args), given, folder);
  const supervisor = new Supervisor(options, programs, given, new LogGate(screen));
  const run = supervisor.run();
  // Whoever waits for a word on the screen need not wait any longer.
  run.catch((error: Error) => screen.destroy(error));
  current = { supervisor, run };
  return { supervisor, run, screen, options };
}

async function askApi(atPort = port): Promise<{ pid: number; keys: string[] }> {
  const response = await fetch(`http://127.0.0.1:${atPort}/`, { headers: { Connection: 'close' } });
  const answer: { pid: number; keys: string[] } = JSON.parse(await response.text());
  return answer;
}

const demoOnDisk = (): Demo => JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8'));
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
    await supervisor.stop();
    await run;
    expect([pid, database].map(processStart)).toEqual([undefined, undefined]);
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('keeps demo.json true when the port changes, and makes no demo data twice', async () => {
    const { screen } = start([], { PORT: String(port + 1) });
    await screen.shows(/Ctrl-C stops everything/);
    expect(screen.text).not.toContain('Making the demo data');
    expect(demoOnDisk().base_url).toBe(`http://localhost:${port + 1}`);
    expect(statSync(join(folder, 'data', 'demo.json')).mode & 0o777).toBe(0o600);
  });

  it('begins anew with --reset', async () => {
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify({ ...demoOnDisk(), base_url: 'old' }));
    const trace = join(folder, 'data', 'cluster', 'trace');
    writeFileSync(trace, '');
    const { screen } = start(['--reset']);
    await screen.shows(/Making the demo data[^]*Ctrl-C stops everything/);
    expect(existsSync(trace)).toBe(false);
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

  it('stops within five seconds, also when the API will not', async () => {
    const { supervisor, screen } = start([], { API_IS_STUBBORN: 'yes' });
    await screen.shows(/Ctrl-C stops everything/);
    const began = Date.now();
    await supervisor.stop();
    expect(Date.now() - began).toBeLessThan(5_000);
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
    await expect(run).rejects.toThrow('The database could not be prepared: connect ECONNREFUSED 127.0.0.1:1');
  });
});
