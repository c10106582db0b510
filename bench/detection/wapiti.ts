import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programNamed } from '../../test/real/application-process';
import type { Benchmark, Category, Report, Scanned } from './benchmark';

const MODULES = ['sql', 'blindsql', 'xss', 'exec', 'file', 'redirect', 'crlf'];

const NAMES: Readonly<Record<string, Category>> = {
  'SQL Injection': 'SQL injection',
  'Blind SQL Injection': 'SQL injection',
  'Cross Site Scripting': 'cross-site scripting',
  'Command execution': 'command injection',
  'Path Traversal': 'path traversal',
  'Open Redirect': 'open redirect',
  'CRLF Injection': 'header injection',
};

interface Found {
  readonly method: string;
  readonly path: string;
  readonly parameter: string;
}

const TIMEOUT_MS = 3 * 3_600_000;

export const wapitiIsMissing = (): boolean => programNamed('wapiti') === null;

/** Modules that ended with an exception have tested a part of the inputs, which differs from run to run. */
const failuresIn = (said: string): string[] =>
  said
    .split('[*] Launching module ')
    .slice(1)
    .flatMap((part) => {
      const [error] = /^\w+Error .*$/m.exec(part) ?? [];
      return error === undefined ? [] : [`module ${part.split('\n', 1)[0]} ended early: ${error}`];
    });

/** Its modules for the same classes of weaknesses, with everything else at its defaults. */
export async function runWapiti(benchmark: Benchmark, url: string): Promise<Scanned> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-wapiti-'));
  const output = join(folder, 'report.json');
  const args = ['-u', new URL(benchmark.folder, url).href, '--scope', 'folder', '--flush-session', '--no-bugreport'];
  args.push(...benchmark.entries.flatMap((path) => ['-s', new URL(path, url).href]), '-m', MODULES.join(','));
  args.push('-f', 'json', '-o', output, '--store-session', folder, '--store-config', folder, '-v', '1');
  try {
    const child = spawn('wapiti', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`wapiti ended with ${code}: ${said.slice(-2_000)}`);
    const { vulnerabilities } = JSON.parse(readFileSync(output, 'utf8')) as {
      vulnerabilities: Record<string, Found[]>;
    };
    const reports = Object.entries(vulnerabilities).flatMap(([name, found]) => {
      const category = NAMES[name];
      return category === undefined ? [] : found.map((one): Report => reportOf(category, one));
    });
    return { reports, notes: failuresIn(said) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reportOf = (category: Category, { method, path, parameter }: Found): Report => ({
  category,
  method,
  path: new URL(path, 'http://target').pathname,
  parameter: parameter ?? '',
});
