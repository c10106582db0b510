import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, lchownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { technologiesOf } from '../../src/engine';
import type { Statement, TechnologySeen } from '../../src/engine/observation/host-seen';
import { iconHashOf, iconPath, nextPath } from '../../src/engine/observation/technologies/further-paths';
import { binaryOf, freePort, RealServer } from '../../src/engine/testing/real-server';
import { type Truth, WEB_SOFTWARE, type WebSoftware } from '../support/web-software';

type Page = Extract<Statement, { kind: 'http' }>;

/** `www-data`, who may read the configuration of Debian's web applications. */
const ORDINARY_USER = 33;
const isRoot = process.getuid?.() === 0;
const whatweb = binaryOf('whatweb');
const MISSING_PATH = '/missing-7c1e';

/** Names of software to look at, without which all that is installed is. */
const only = process.env['WEB_SOFTWARE']?.split(',');
const hasPackages = binaryOf('dpkg-query') !== null;

const isInstalled = ({ needs, runs }: WebSoftware): boolean =>
  needs.every((path) => existsSync(path)) && (hasPackages || Object.values(runs).every((one) => !('package' in one)));

const chosen = WEB_SOFTWARE.filter((one) => isInstalled(one) && (only === undefined || only.includes(one.name)));

/** What one tool saw of what runs. */
interface Score {
  readonly names: readonly string[];
  readonly versions: readonly string[];
}

interface Result {
  readonly name: string;
  readonly truth: Readonly<Record<string, string | null>>;
  readonly ours: Score;
  readonly theirs: Score;
  readonly invented: readonly string[];
}

/** The version of a package of the system, without what the distribution added. */
const packageVersion = (name: string): string =>
  execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8' })
    .replace(/^\d+:/, '')
    .replace(/[-+~].*$/, '');

const versionOf = ({ package: name, version }: Truth): string | null =>
  version ?? (name === undefined ? null : packageVersion(name));

/** A response may leave out the last parts of a version. */
const isStated = (stated: string, real: string): boolean => real === stated || real.startsWith(`${stated}.`);

async function request(url: string): Promise<{ page: Page; bytes: Buffer }> {
  const response = await fetch(url, { redirect: 'manual' });
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { page: { kind: 'http', url, status, headers: [...headers], body: bytes.toString() }, bytes };
}

/** The first page, what that leads to, a path that is missing, and the icon: at most five requests. */
async function observe(url: string): Promise<TechnologySeen[]> {
  const { page: home } = await request(url);
  const asked = [home];
  for (let path = nextPath(asked); path !== null; path = nextPath(asked))
    asked.push((await request(new URL(path, url).href)).page);
  const missing = (await request(new URL(MISSING_PATH, url).href)).page;
  const icon = await request(new URL(iconPath(asked.at(-1) ?? home), url).href);
  const isFound = icon.page.status === 200;
  return technologiesOf([
    ...asked,
    missing,
    isFound ? { ...icon.page, body: '', iconHash: iconHashOf(icon.bytes) } : icon.page,
  ]);
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Apache HTTP Server': 'apache',
  'Apache Tomcat': 'tomcat',
  'Python http.server': 'simplehttp',
  wsgiref: 'wsgiserver',
  'Prometheus Alertmanager': 'alertmanager',
  'Prometheus Node Exporter': 'node exporter',
};

/** Whatever whatweb prints counts for it, also a header or a title that it only repeats. It follows redirects. */
function runWhatweb(url: string, truth: Result['truth']): Score {
  const urls = [url, new URL(MISSING_PATH, url).href];
  const args = ['--quiet', '--log-json=-', '--no-errors', '-a', '1', ...urls];
  const { stdout } = spawnSync(whatweb ?? '', args, { encoding: 'utf8', timeout: 120_000 });
  const said = stdout.toLowerCase().replaceAll(String.raw`\/`, '/');
  const names = Object.keys(truth).filter((name) => said.includes(OTHER_NAMES[name] ?? name.toLowerCase()));
  const versions = names.filter((name) => {
    const [major, minor] = truth[name]?.split('.') ?? [];
    return major !== undefined && said.includes(minor === undefined ? major : `${major}.${minor}`);
  });
  return { names, versions };
}

async function start(software: WebSoftware, folder: string, port: number): Promise<() => Promise<void>> {
  const { command, application, env, prepare } = software;
  if (application !== undefined) return application.start({ port, url: `http://127.0.0.1:${port}/` });
  prepare?.(folder, port);
  const paths = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].map((path) => join(folder, path));
  if (isRoot) for (const path of paths) lchownSync(path, ORDINARY_USER, ORDINARY_USER);
  const [program = '', ...args] = command?.(folder, port) ?? [];
  const server = await RealServer.start(program, port, args, () =>
    spawn(program, args, {
      cwd: folder,
      stdio: 'ignore',
      ...(isRoot ? { uid: ORDINARY_USER, gid: ORDINARY_USER } : {}),
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, ...env?.(folder) },
    }),
  );
  return () => server.stop('SIGTERM');
}

function resultOf({ name, runs }: WebSoftware, seen: readonly TechnologySeen[], url: string): Result {
  const truth = Object.fromEntries(Object.entries(runs).map(([what, one]) => [what, versionOf(one)]));
  const right = seen.filter((one) => one.name in truth);
  const isRight = (one: TechnologySeen): boolean => one.version !== '' && isStated(one.version, truth[one.name] ?? '');
  return {
    name,
    truth,
    ours: {
      names: [...new Set(right.map((one) => one.name))],
      versions: right.filter(isRight).map((one) => one.name),
    },
    theirs: whatweb === null ? { names: [], versions: [] } : runWhatweb(url, truth),
    invented: seen
      .filter((one) => !(one.name in truth) || (one.version !== '' && !isRight(one)))
      .map((one) => `${one.name} ${one.version} (${one.source})`),
  };
}

const results: Result[] = [];

beforeAll(async () => {
  for (const software of chosen) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-web-software-'));
    let stop: (() => Promise<void>) | undefined;
    try {
      const port = await freePort();
      stop = await start(software, folder, port);
      const url = `http://127.0.0.1:${port}${software.path ?? '/'}`;
      results.push(resultOf(software, await observe(url), url));
    } finally {
      await stop?.();
      rmSync(folder, { recursive: true, force: true });
    }
  }
});

afterAll(() => {
  const counts = ({ names, versions }: Score): string => `${names.length} names, ${versions.length} versions`;
  const lines = results.map(({ name, ours, theirs }) => `${name}: ${counts(ours)}; whatweb ${counts(theirs)}`);
  process.stdout.write(`${lines.join('\n')}\n${results.length} in all: ${total('ours')}; whatweb ${total('theirs')}\n`);
});

function total(tool: 'ours' | 'theirs'): string {
  const sum = (kind: keyof Score): number => results.reduce((count, one) => count + one[tool][kind].length, 0);
  return `${sum('names')} names, ${sum('versions')} versions`;
}

it.each(chosen.map(({ name }) => name))('all of %s is named, with the versions that its responses state', (name) => {
  const { truth, ours, invented } = results.find((one) => one.name === name) as Result;
  const stated = Object.keys(truth).filter((what) => truth[what] !== null);
  expect({ names: ours.names.toSorted(), versions: ours.versions.toSorted(), invented }).toEqual({
    names: Object.keys(truth).toSorted(),
    versions: stated.toSorted(),
    invented: [],
  });
});

/** With a part of the software, or without whatweb, there is nothing to compare. */
const isComplete = only === undefined && whatweb !== null;

(isComplete ? it : it.skip)('at least as much is right as what whatweb finds, on at least 30 kinds of software', () => {
  expect(results.length).toBeGreaterThanOrEqual(30);
  const count = (tool: 'ours' | 'theirs', kind: keyof Score): number =>
    results.reduce((sum, one) => sum + one[tool][kind].length, 0);
  expect(count('ours', 'names')).toBeGreaterThanOrEqual(count('theirs', 'names'));
  expect(count('ours', 'versions')).toBeGreaterThanOrEqual(count('theirs', 'versions'));
});
