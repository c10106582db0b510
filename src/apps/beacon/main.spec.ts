import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { binaryOf } from '../../engine/testing/real-server';
import { packageFolder } from '../../kernel/package-folder';
import { packageVersion } from '../../kernel/package-version';
import { LOG_EVENTS } from './agent-log';
import { OPTIONS } from './read-arguments';
import { closeAfterTest, until, useResources } from './testing/resources';
import { type LogLine, TEST_TOKEN } from './testing/test-agent';
import { type TestConnection, TestService } from './testing/test-service';
import { echo, startTarget } from './testing/test-target';

const MAX_BYTES = 300 * 1_024;

/** Nothing but the file: no packages, and no project above. */
const folder = mkdtempSync(join(tmpdir(), 'assay-beacon-'));
const program = join(folder, 'assay-beacon.cjs');
const tokenFile = join(folder, 'token');
/** The private network is on loopback, as in `toLoopback`. */
const network = join(folder, 'network.cjs');

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(tokenFile, TEST_TOKEN);
  writeFileSync(
    network,
    `const net = require('node:net');
     const { connect } = net;
     net.connect = ({ host, ...options }) =>
       host === '127.0.0.1'
         ? connect({ host, ...options })
         : Object.defineProperty(connect({ host: '127.0.0.1', ...options }), 'remoteAddress', { value: host });`,
  );
  execFileSync(process.execPath, [join(packageFolder, 'bin', 'build-beacon.mjs'), '--out', program]);
});

afterAll(() => rmSync(folder, { recursive: true }));

useResources();

const signal = new AbortController().signal;

/** Without any variable of the environment. */
const run = (...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { cwd: folder, env: {}, encoding: 'utf8' });

describe('the file of the agent', () => {
  it('is small, and needs nothing but Node', () => {
    expect(statSync(program).size).toBeLessThanOrEqual(MAX_BYTES);
    const required = Array.from(
      readFileSync(program, 'utf8').matchAll(/(?<![.\w])require\("([^"]+)"\)/g),
      ([, name = '']) => name,
    );
    expect(required.length).toBeGreaterThan(0);
    expect(required.filter((name) => !builtinModules.includes(name.replace('node:', '')))).toEqual([]);
  });

  it('includes the licenses of the packages in it', () => {
    expect(readFileSync(program, 'utf8')).toMatch(/Permission is hereby granted[^]*Permission is hereby granted/);
  });

  it('says its version and its options', () => {
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${packageVersion}\n`, stderr: '' });
    const { status, stdout } = run('--help');
    expect([status, stdout]).toEqual([0, expect.stringContaining('--token-file FILE') as unknown]);
  });

  it('ends with a sentence and code 2 when an option is wrong', () => {
    expect(run('--url', 'http://assay.example.com')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^assay-beacon: --url is an http:\/\/ URL, .*\n$/) as unknown,
    });
  });
});

interface Started extends TestConnection {
  readonly child: ChildProcess;
  readonly lines: () => LogLine[];
  readonly exited: Promise<unknown[]>;
}

async function startAgent(service: TestService): Promise<Started> {
  const args = ['--url', service.url.href, '--beacon-id', '7', '--token-file', tokenFile, '--allow', '10.20.0.0/24'];
  const next = service.next();
  const child = spawn(process.execPath, ['--require', network, program, ...args], { cwd: folder, env: {} });
  closeAfterTest(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'close');
  const lines = (): LogLine[] =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);
  const connection = await next;
  await until(() => lines().some(({ event }) => event === 'configured'));
  return { ...connection, child, lines, exited };
}

describe('the process of the agent', () => {
  it('ends its running connections after SIGTERM, and logs what it did', async () => {
    const { multiplexer, controls, child, lines, exited } = await startAgent(await TestService.start());
    const target = await startTarget(echo);
    const stream = await multiplexer.open(target, signal);
    await expect(multiplexer.open({ address: '10.20.1.1', port: 80 }, signal)).rejects.toMatchObject({
      code: 'egress',
    });
    child.kill('SIGTERM');
    await until(() => controls.some(({ type }) => type === 'goodbye'));
    stream.end('still served');
    expect(await text(stream)).toBe('still served');
    expect(await exited).toEqual([0, null]);
    expect(lines().map(({ event }) => event)).toEqual([
      'started',
      'connected',
      'configured',
      'connection',
      'stopping',
      'connection',
      'summary',
      'stopped',
    ]);
    const connections = lines().filter(({ event }) => event === 'connection');
    expect(connections).toMatchObject([
      { level: 'warn', address: '10.20.1.1', port: 80, ended: expect.stringContaining('--allow') as unknown },
      { level: 'info', address: '10.20.0.5', port: target.port, bytes_sent: 12, bytes_received: 12, ended: 'closed' },
    ]);
    expect(JSON.stringify(lines())).not.toContain(TEST_TOKEN);
  });

  it('ends at once after a second SIGTERM', async () => {
    const { multiplexer, controls, child, exited } = await startAgent(await TestService.start());
    const stream = await multiplexer.open(await startTarget(echo), signal);
    const cut = expect(text(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
    child.kill('SIGTERM');
    await until(() => controls.some(({ type }) => type === 'goodbye'));
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
    await cut;
  });
});

describe('the systemd unit', () => {
  const path = join(packageFolder, 'deploy', 'systemd', 'assay-beacon.service');
  const unit = readFileSync(path, 'utf8');

  it('gives no rights to the agent, and keeps the token from other users', () => {
    for (const line of ['DynamicUser=yes', 'CapabilityBoundingSet=', 'NoNewPrivileges=yes', 'ProtectSystem=strict'])
      expect(unit.split('\n')).toContain(line);
    expect(unit).toMatch(/^LoadCredential=token:/m);
  });

  it('uses only options that exist', () => {
    const flags = Array.from(unit.matchAll(/ --([a-z-]+)/g), ([, name = '']) => name);
    const variables = Array.from(unit.matchAll(/\bASSAY_[A-Z_]+/g), ([name]) => name);
    expect(flags).toEqual(['token-file']);
    expect(flags.filter((name) => !Object.hasOwn(OPTIONS, name))).toEqual([]);
    const known = new Set<string>(Object.values(OPTIONS).map(({ environment }) => environment));
    expect(variables.filter((name) => !known.has(name))).toEqual([]);
  });

  (binaryOf('systemd-analyze') === null ? it.skip : it)('is valid for systemd', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
  });
});

describe('docs/beacons.md', () => {
  it('lists every option with its variable, and every event of the log', () => {
    const text = readFileSync(join(packageFolder, 'docs', 'beacons.md'), 'utf8');
    for (const [name, { environment }] of Object.entries(OPTIONS))
      expect(text).toMatch(new RegExp(`^\\| \`--${name}\\b.*${environment}`, 'm'));
    for (const event of LOG_EVENTS) expect(text).toMatch(new RegExp(`^\\| \`${event}\``, 'm'));
  });
});
