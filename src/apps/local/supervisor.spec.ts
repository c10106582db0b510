import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { freePort } from '../../engine/testing/real-server';
import { DemoData } from './demo-data';
import type { Demo } from './demo-file';
import { StartOutput } from './start-output';
import { readFlags, readOptions } from './options';
import { processStart, signal } from '../postgres/processes';
import { Services } from './services';
import { Supervisor } from './supervisor';

/** Fake programs. Environment variables make them fail. */
const api = `
  const { createServer } = require('node:http');
  if (process.env.API_FAILS) { console.error('api: failed'); process.exit(7); }
  const server = createServer((request, response) => response.end(JSON.stringify({
    pid: process.pid, keys: Object.keys(process.env).filter((key) => key.includes('DATABASE') && process.env[key]),
    egress: process.env.EGRESS_ALLOW, secretKeyFile: process.env.SECRET_KEY_FILE,
    demoFile: process.env.DEMO_FILE,
  })));
  server.listen(process.env.PORT, () => process.send({ type: 'ready' }));
  process.on('SIGTERM', () => process.env.API_IS_STUBBORN || (console.log('API stops'), process.exit()));
  process.on('disconnect', () => process.exit());`;
const worker = `
  console.log('worker ' + process.pid + ' started, may test ' + process.env.EGRESS_ALLOW);
  process.send({ type: 'ready' });
  const answer = (address) => fetch('http://' + address).then(({ status }) => status, () => 'nothing');
  process.on('SIGTERM', async () => {
    const answers = [await answer('127.0.0.1:' + process.env.PORT), await answer(process.env.EGRESS_ALLOW.split(',')[0])];
    console.log('worker stops, API and target answer ' + answers);
    process.exit();
  });
  process.on('disconnect', () => process.exit());`;
const demoTarget = `
  console.log('target ' + process.pid + ' environment ' + Object.keys(process.env).sort());
  const server = require('node:http').createServer((request, response) => response.end('vulnerable'));
  server.listen(process.env.DEMO_TARGET_PORT, '127.0.0.1', () => process.send({ type: 'ready' }));
  process.on('SIGTERM', () => { console.log('target stops'); process.exit(); });
  process.on('disconnect', () => process.exit());`;
const seeder = `
  const caller = { email: 'a@b.example', password: 'p', api_key: 'key', api_secret: 'secret' };
  const write = (demo) => require('node:fs').writeFileSync(process.env.DEMO_FILE, JSON.stringify({
    base_url: process.env.BASE_URL, demo_target_url: null,
    organizations: [{ id: 4, name: 'Acme', users: [{ ...caller, role: 'owner' }] }],
    integrator: { ...caller, organization_ids: [] }, ...demo,
  }), { mode: 0o600 });
  const complete = () => write({ demo_target_url: process.env.DEMO_TARGET_URL || null });
  if (process.env.SEEDER_IS_SLOW) {
    write({ records: 'pending' });
    process.send({ type: 'ready' });
    setTimeout(() => {
      if (process.env.SEEDER_IS_SLOW === 'fails') process.exit(5);
      complete();
      process.exit();
    }, 1_000);
  } else complete();`;
const targetAdder = `
  if (process.env.ADDER_FAILS) process.exit(3);
  const { readFileSync, writeFileSync } = require('node:fs');
  const demo = JSON.parse(readFileSync(process.env.DEMO_FILE, 'utf8'));
  demo.demo_target_url = process.env.DEMO_TARGET_URL;
  writeFileSync(process.env.DEMO_FILE, JSON.stringify(demo));`;
const resultSeeder = `
  console.log('results of ' + process.env.DEMO_FILE);
  if (process.env.RESULTS_FAIL) process.exit(3);
  require('node:fs').writeFileSync(process.env.DEMO_FILE + '.continued', '');`;
const keyRetirer = `console.log('retired', process.env.SECRET_KEY_FILE ? 'with a key file' : 'without a key file');`;
const ownTargetsAdder = `
  if (process.env.OWN_ADDER_FAILS) process.exit(4);
  const owner = process.env.OWNER_ID ? { id: Number(process.env.OWNER_ID), name: 'Acme' } : null;
  console.log('assets ' + process.env.OWN_TARGETS);
  require('node:fs').writeFileSync(process.env.OWNER_FILE, JSON.stringify(owner));`;
const programs = { api, worker, seeder, demoTarget, targetAdder, resultSeeder, ownTargetsAdder, keyRetirer };

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

/** Collects the output, and waits for a pattern in it. */
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
    PORTAL_PORT: 'off',
    DEMO_TARGET_PORT: String(targetPort),
    ASSAY_DATA: join(folder, 'data'),
    ...environment,
  };
  const fileOf = (name: keyof typeof programs): string => join(folder, `${name}.js`);
  const files = {
    api: fileOf('api'),
    listener: '',
    worker: fileOf('worker'),
    seeder: fileOf('seeder'),
    demoTarget: fileOf('demoTarget'),
    targetAdder: fileOf('targetAdder'),
    ownTargetsAdder: fileOf('ownTargetsAdder'),
    resultSeeder: fileOf('resultSeeder'),
    keyRetirer: fileOf('keyRetirer'),
  };
  const options = readOptions(readFlags(args), given, folder);
  const supervisor = new Supervisor(options, files, given, new StartOutput(screen));
  const run = supervisor.run();
  // Ends a test that waits for output.
  run.catch((error: Error) => screen.destroy(error));
  current = { supervisor, run };
  return { supervisor, run, screen, options, files };
}

interface ApiAnswer {
  pid: number;
  keys: string[];
  egress?: string;
  secretKeyFile?: string;
  demoFile?: string;
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
  it('announces each step of the start, prints the banner last, and stops all processes', async () => {
    const { supervisor, run, screen } = start();
    await screen.shows(/Ctrl-C stops everything[^]*\n\n\n$/);
    const steps = [...screen.text.matchAll(/^ *\d+\.\d s {2}(.*)$/gm)].map(([, title]) => title);
    expect(steps.sort()).toEqual([
      'Adding the demo data',
      `Creating the database in ${join(folder, 'data')}`,
      'Creating the tables',
      'Ready',
      'Starting the API',
      'Starting the demo target',
      'Starting the worker',
    ]);
    expect(screen.text).toMatch(/Creating the database[^]*Creating the tables[^]*worker \d+ started[^]*Ready\n\nAssay/);
    expect(screen.text).toContain(`curl -u 'key:secret' http://localhost:${port}/v1/organizations/`);
    expect(statSync(join(folder, 'data', 'demo.json')).mode & 0o777).toBe(0o600);
    const { pid, keys } = await askApi();
    expect(keys).toEqual(['DATABASE_URL']);
    const database = postgresPid();
    expect(await answersOfTarget()).toBe('vulnerable');
    await supervisor.stop();
    await run;
    expect([pid, database].map(processStart)).toEqual([undefined, undefined]);
    expect(await answersOfTarget()).toBeUndefined();
    expect(screen.text).toMatch(/worker stops, API and target answer 200,200\nAPI stops\ntarget stops\n$/);
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('updates demo.json when the port changes, and creates demo data only once', async () => {
    const { screen } = start([], { PORT: String(port + 1) });
    await screen.shows(/Ctrl-C stops everything/);
    expect(screen.text).not.toContain('Adding the demo data');
    expect(demoOnDisk().base_url).toBe(`http://localhost:${port + 1}`);
    expect(statSync(join(folder, 'data', 'demo.json')).mode & 0o777).toBe(0o600);
  });

  it('creates a secret key once', async () => {
    const { screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    expect((await askApi()).secretKeyFile).toBe(join(folder, 'data', 'secret-key'));
    expect(statSync(join(folder, 'data', 'secret-key')).mode & 0o777).toBe(0o600);
    expect(Buffer.from(secretKey(), 'base64')).toHaveLength(32);
    expect(screen.text).not.toContain('retired');
  });

  it('retires the signing key if the secret key was configured, unset or deleted', async () => {
    const kept = secretKey();
    const ofUser = start([], { SECRET_KEY: randomBytes(32).toString('base64') });
    await ofUser.screen.shows(/retired[^]*Ctrl-C stops everything/);
    expect((await askApi()).secretKeyFile).toBeUndefined();
    await ofUser.supervisor.stop();
    const again = start();
    await again.screen.shows(/retired without a key file[^]*Ctrl-C stops everything/);
    expect(secretKey()).toBe(kept);
    await again.supervisor.stop();
    rmSync(join(folder, 'data', 'secret-key'));
    const { screen } = start();
    await screen.shows(/retired[^]*Ctrl-C stops everything/);
    expect(secretKey()).not.toBe(kept);
  });

  it('deletes the data with --reset', async () => {
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify({ ...demoOnDisk(), base_url: 'old' }));
    const trace = join(folder, 'data', 'cluster', 'trace');
    writeFileSync(trace, '');
    const { screen } = start(['--reset']);
    await screen.shows(/Deleting the data[^]*Adding the demo data[^]*Ctrl-C stops everything/);
    expect(existsSync(trace)).toBe(false);
  });

  it('prints the banner when the keys of the demo data work, and starts the worker after the rest', async () => {
    const { screen } = start(['--reset'], { SEEDER_IS_SLOW: 'yes' });
    await screen.shows(/key +secret[^]*are being added[^]*Ctrl-C stops everything[^]*worker \d+ started/);
    expect(screen.text).toMatch(new RegExp(`may test .*,4@127.0.0.1:${targetPort}$`, 'm'));
    expect(demoOnDisk()).toMatchObject({ demo_target_url: targetUrl() });
  });

  it('stops everything when the rest of the demo data cannot be added, and adds it all at the next start', async () => {
    const { run } = start(['--reset'], { SEEDER_IS_SLOW: 'fails' });
    await expect(run).rejects.toThrow('The demo data could not be created: the seeder exited with exit code 5.');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    const { screen } = start();
    await screen.shows(/Adding the demo data[^]*Ctrl-C stops everything/);
    expect(demoOnDisk()).not.toHaveProperty('records');
  });

  it('adds the demo target to EGRESS_ALLOW, and starts it with an empty environment', async () => {
    const { screen } = start([], { EGRESS_ALLOW: '127.0.0.1:9', SECRET: 'of the user' });
    const [, keys] = await screen.shows(/target \d+ environment (.*)[^]*Ctrl-C stops everything/);
    expect(keys?.split(',').filter((key) => key !== 'NODE_CHANNEL_FD')).toEqual([
      'DEMO_TARGET_PORT',
      'DOCS_URL',
      'PORTAL_URL',
    ]);
    expect((await askApi()).egress).toBe(`127.0.0.1:9,127.0.0.1:${targetPort}`);
    expect(screen.text).toMatch(
      new RegExp(`may test 127.0.0.1:9,127.0.0.1:${targetPort},4@127.0.0.1:${targetPort}$`, 'm'),
    );
    expect(demoOnDisk().demo_target_url).toBe(targetUrl());
    expect(screen.text).toContain('DELIBERATELY VULNERABLE');
  });

  it('adds the applications of --target to EGRESS_ALLOW for the demo organization, and prints commands', async () => {
    const application = createServer().listen(0, '127.0.0.1');
    await once(application, 'listening');
    const { port: listening } = application.address() as AddressInfo;
    const urls = [`http://127.0.0.1:${listening}/`, `http://[::1]:${targetPort + 1}/app`];
    const { screen } = start(urls.flatMap((url) => ['--target', url]));
    await screen.shows(/Ctrl-C stops everything/);
    application.close();
    expect((await askApi()).egress?.split(',')).toEqual([
      `127.0.0.1:${targetPort}`,
      `4@127.0.0.1:${listening}`,
      `4@[::1]:${targetPort + 1}`,
    ]);
    expect(screen.text).toContain(`assets ${JSON.stringify(urls)}`);
    expect(screen.text).toContain(`'{"url": "${urls[1]}"}'`);
    expect(screen.text).toContain(`Nothing listens at ${urls[1]} now.`);
    expect(screen.text).not.toContain(`Nothing listens at ${urls[0]}`);
  });

  it.each([
    ['the API', () => `http://localhost:${port}`],
    ['a public address', () => 'http://192.88.100.1:8080'],
  ])('refuses %s as the URL of --target before it starts any process', async (_what, urlOf) => {
    const { run, screen } = start(['--target', urlOf()]);
    await expect(run).rejects.toThrow(/^--target \S+ cannot be used: /);
    expect(screen.text).toBe('');
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('fails if the applications of --target cannot be added as assets', async () => {
    const { run } = start(['--target', 'http://127.0.0.1:9'], { OWN_ADDER_FAILS: 'yes' });
    await expect(run).rejects.toThrow('The targets could not be added: the program exited with exit code 4.');
  });

  it('starts no demo target with DEMO_TARGET=off', async () => {
    const { screen } = start([], { DEMO_TARGET: 'off' });
    await screen.shows(/Ctrl-C stops everything/);
    expect(await answersOfTarget()).toBeUndefined();
    expect((await askApi()).egress).toBeUndefined();
    expect(demoOnDisk().demo_target_url).toBeNull();
    expect(screen.text).not.toMatch(/demo target/i);
  });

  it('adds the demo target to demo data without one', async () => {
    const { demo_target_url: _target, ...older } = demoOnDisk();
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify(older));
    const { screen } = start();
    await screen.shows(/Adding the demo target[^]*Ctrl-C stops everything/);
    expect(screen.text).not.toContain('Adding the demo data');
    expect(demoOnDisk().demo_target_url).toBe(targetUrl());
  });

  it('starts although the demo target cannot be added to the demo data', async () => {
    writeFileSync(join(folder, 'data', 'demo.json'), JSON.stringify({ ...demoOnDisk(), demo_target_url: 'elsewhere' }));
    const { screen } = start([], { ADDER_FAILS: 'yes' });
    await screen.shows(
      /could not be added to the demo data \(the program exited with exit code 3\)[^]*Ctrl-C stops everything/,
    );
    expect(demoOnDisk().demo_target_url).toBeNull();
  });

  it('continues demo data that an earlier start did not complete, after the banner', async () => {
    const file = join(folder, 'data', 'demo.json');
    writeFileSync(file, JSON.stringify({ ...demoOnDisk(), demo_target_url: targetUrl(), results: 'pending' }));
    const { screen } = start([], { RESULTS_FAIL: 'yes' });
    await screen.shows(
      /Ctrl-C[^]*results of .*demo\.json[^]*no retests and reports \(the program exited with exit code 3\)/,
    );
    expect((await askApi()).demoFile).toBe(file);
    writeFileSync(file, JSON.stringify({ ...demoOnDisk(), results: 'complete' }));
  });

  it('continues demo data only while its results are pending', async () => {
    const { supervisor, run, options, files, screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    await supervisor.stop();
    await run;
    const file = join(folder, 'data', 'demo.json');
    const output = new StartOutput(screen);
    const demo = new DemoData(options, files, new Services(output, 0), output);
    const target = { port: targetPort, endpoint: `127.0.0.1:${targetPort}`, url: targetUrl() };
    const hasContinued = async (results?: Demo['results']): Promise<boolean> => {
      writeFileSync(file, JSON.stringify({ ...demoOnDisk(), demo_target_url: targetUrl(), results }));
      await demo.completeResults(process.env, target);
      return existsSync(`${file}.continued`);
    };
    expect(await hasContinued('complete')).toBe(false);
    expect(await hasContinued()).toBe(false);
    expect(await hasContinued('pending')).toBe(true);
    await hasContinued('complete');
  });

  it('restarts a demo target that exits', async () => {
    const { screen } = start();
    const [, first] = await screen.shows(/target (\d+) environment[^]*Ctrl-C stops everything/);
    signal(Number(first), 'SIGKILL');
    await screen.shows(/The demo target exited by SIGKILL\. It restarts in 1 s\.[^]*target \d+ environment/);
  });

  it('restarts a worker that exits', async () => {
    const { screen } = start();
    const [, first] = await screen.shows(/worker (\d+) started[^]*Ctrl-C stops everything/);
    signal(Number(first), 'SIGKILL');
    await screen.shows(/The worker exited by SIGKILL\. It restarts in 1 s\./);
    const [, second] = await screen.shows(/restarts in 1 s[^]*worker (\d+) started/);
    expect(processStart(Number(second))).toBeDefined();
  });

  it('stops everything with an error when the API exits', async () => {
    const { run, screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    const database = postgresPid();
    signal((await askApi()).pid, 'SIGKILL');
    await expect(run).rejects.toThrow('The API exited by SIGKILL, so everything was stopped.');
    expect(processStart(database)).toBeUndefined();
  });

  it('stops everything with an error when PostgreSQL exits', async () => {
    const { run, screen } = start();
    await screen.shows(/Ctrl-C stops everything/);
    signal(postgresPid(), 'SIGKILL');
    await expect(run).rejects.toThrow('PostgreSQL exited, so everything was stopped.');
  });

  it('names the step that fails if the API does not start, and shows its output', async () => {
    const { run, screen } = start([], { API_FAILS: 'yes' });
    await expect(run).rejects.toThrow('The API did not start: it exited with exit code 7.');
    expect(screen.text).toMatch(/Starting the API\n[^]*api: failed\n[^]* s {2}Failed: Starting the API\n/);
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('stops even if the API ignores SIGTERM', async () => {
    const { supervisor, screen } = start([], { API_IS_STUBBORN: 'yes' });
    await screen.shows(/Ctrl-C stops everything/);
    await supervisor.stop();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('can be stopped during the start', async () => {
    const { supervisor, run, screen } = start();
    await supervisor.stop();
    await run;
    expect(screen.text).not.toMatch(/Failed|Assay is running/);
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
  });

  it('announces no further step when it is stopped while it creates the tables', async () => {
    const { supervisor, run, screen } = start(['--reset']);
    await screen.shows(/Creating the tables/);
    await supervisor.stop();
    await run;
    expect(screen.text).toMatch(/Creating the tables\n(?!.* s {2})/);
    expect(screen.text).not.toMatch(/Starting the (API|worker)|Adding the demo data/);
  });

  it('names a taken port before it starts any process', async () => {
    const taken = createServer().listen(port);
    await once(taken, 'listening');
    const { run } = start();
    await expect(run).rejects.toThrow(
      `Port ${port} is used by another program. Choose another port: PORT=${port + 1} npm start`,
    );
    expect(existsSync(join(folder, 'data', 'instance.json'))).toBe(false);
    taken.close();
  });

  it('refuses to write demo data of an external database into the folder of the embedded one', async () => {
    const { run } = start(['--demo'], { DATABASE_URL: 'postgres://someone@127.0.0.1:1/none' });
    await expect(run).rejects.toThrow(/contains the embedded database.*ASSAY_DATA=/);
  });

  it('reports that the database of DATABASE_URL is unavailable', async () => {
    const { run } = start([], { DATABASE_URL: 'postgres://someone@127.0.0.1:1/none' });
    await expect(run).rejects.toThrow(
      'The database in DATABASE_URL could not be prepared: connect ECONNREFUSED 127.0.0.1:1',
    );
  });
});
