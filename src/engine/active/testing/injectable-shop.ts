import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { lookFirst } from '../../assess';
import type { Check, Observation } from '../../check';
import { ProbeSession } from '../../probe-session';
import type { WebTarget } from '../../target';
import { binaryOf, freePort, RealServer } from '../../testing/real-server';
import { Transport } from '../../transport/transport';
import type { InsertionPoint } from '../../experiment-record';

/** The arguments of PDO: data source, user and password. */
export type ShopDatabase = readonly [dsn: string, user: string | null, password: string | null];

export function missingPhp(): string | null {
  const php = binaryOf('php');
  if (php === null) return 'PHP is not installed';
  const modules = execFileSync(php, ['-m'], { encoding: 'utf8' });
  return modules.includes('pdo_sqlite') ? null : 'PHP has no SQLite';
}

export const queryPoint = (path: string, value: string, name = 'v'): InsertionPoint => ({
  request: { path: `${path}?${new URLSearchParams([[name, value]])}` },
  kind: 'query',
  name,
  value,
});

export const transportTo = (port: number): Transport =>
  new Transport({
    userAgent: 'engine-tests (security@example.test)',
    egressAllow: [{ address: '127.0.0.1', port }],
    limits: { perSecond: 10_000, concurrency: 4, exchangeMs: 15_000 },
  });

export const placeOf = (port: number, path: string): WebTarget => ({
  scheme: 'http',
  host: '127.0.0.1',
  port,
  path: path.split('?', 1)[0] ?? '/',
  parameter: 'v',
});

export const session = (port: number): ProbeSession =>
  new ProbeSession(transportTo(port), { signal: new AbortController().signal });

/** Returns what a job observes at one point. */
export async function observeAt(
  check: Check,
  port: number,
  path: string,
  value: string,
  /** The syntax of a finding. If set, the probe is a full probe of a retest. */
  variant?: string,
): Promise<Observation> {
  const point = queryPoint(path, value);
  const { observation } = await lookFirst(check, placeOf(port, path), session(port), {
    experiment: { point, variant },
  });
  return observation;
}

/** Starts a PHP application from this folder. */
export async function startPhp(
  script: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RealServer> {
  const port = await freePort();
  const env = { ...process.env, ...environment };
  return RealServer.start(
    binaryOf('php') ?? '',
    port,
    ['-S', `127.0.0.1:${port}`, join(__dirname, script)],
    (binary, args) => spawn(binary, args, { stdio: 'ignore', env }),
  );
}

/** Starts an application that puts a value into SQL statements and logs them to a file. */
export const startShop = (database: ShopDatabase, log = '/dev/null'): Promise<RealServer> =>
  startPhp('injectable.php', { SHOP_DATABASE: JSON.stringify(database), SHOP_LOG: log });
