import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SentRequest } from '../../src/engine/sent-request';
import { ApplicationProcess } from '../../test/real/application-process';
import { type Benchmark, byCategory, type Category, type Judgement, type Report } from './benchmark';
import { olderFormattedStrings } from './older-formatted-strings';
import { missingInPython, PYTHON } from './python';

const CATEGORY_NAMES: Readonly<Record<string, Category>> = {
  sqli: 'SQL injection',
  xss: 'cross-site scripting',
  cmdi: 'command injection',
  pathtraver: 'path traversal',
  redirect: 'open redirect',
};

/** Labelled as vulnerable, although the input decides nothing there. */
const WRONG_LABELS = new Set([
  'BenchmarkTest00535', // a constant in place of the input
  'BenchmarkTest00616', // a constant
  'BenchmarkTest00845', // a constant
  'BenchmarkTest00991', // colons and slashes are escaped, so that the redirect stays on the site
]);

interface Case {
  readonly id: string;
  readonly category: Category;
  readonly path: string;
  readonly isVulnerable: boolean;
  readonly seed: SentRequest;
}

/** How the handler reads its input. Names of headers are none: no value of a request reaches these handlers. */
function seedOf(source: string, page: string, id: string, path: string): SentRequest | null {
  const value = new RegExp(`id="${id}"[^>]*? value="([^"]*)"`).exec(page)?.[1] ?? 'SafeText';
  if (/request\.headers\.get(?:list)?\("Referer"\)/.test(source))
    return { path, headers: [['Referer', 'http://localhost/']] };
  if (/request\.headers\.get/.test(source) && !source.includes('request.headers.keys'))
    return { path, headers: [[id, value]] };
  if (/request\.args|get_query_parameter|request\.query_string/.test(source))
    return { path: `${path}?${new URLSearchParams([[id, value]])}` };
  return null;
}

/** A GET reaches the handler if it does not show a page with a form instead. */
const getReaches = (source: string): boolean => {
  const [, get = ''] = source.split("methods=['GET'])");
  return !(get.split('@app.route', 1)[0] ?? '').includes('render_template');
};

function casesOf(folder: string): Case[] {
  return readFileSync(join(folder, 'expectedresults-0.1.csv'), 'utf8')
    .split('\n')
    .flatMap((line): Case[] => {
      const [id = '', label = '', isVulnerable] = line.split(',');
      const category = CATEGORY_NAMES[label];
      if (category === undefined || WRONG_LABELS.has(id)) return [];
      const source = readFileSync(join(folder, 'testcode', `${id}.py`), 'utf8');
      const path = /@app\.route\('([^']+)'/.exec(source)?.[1] ?? '';
      const page = join(folder, 'templates', `${path.replace('/benchmark/', 'web/')}.html`);
      const html = existsSync(page) ? readFileSync(page, 'utf8') : '';
      const seed = getReaches(source) ? seedOf(source, html, id, path) : null;
      return seed === null ? [] : [{ id, category, path, isVulnerable: isVulnerable === 'true', seed }];
    });
}

/** A copy that runs on Python 3.11: formatted strings, and an attribute that `sqlite3` has since 3.12. */
function copyForPython311(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'assay-benchmark-python-'));
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.git') });
  const rewrite = (file: string, change: (text: string) => string): void =>
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  for (const name of readdirSync(join(copy, 'testcode')))
    if (name.endsWith('.py')) rewrite(join(copy, 'testcode', name), olderFormattedStrings);
  rewrite(join(copy, 'helpers', 'db_sqlite.py'), (text) => text.replace('con.autocommit = True\n', ''));
  return copy;
}

export function benchmarkPython(folder: string | undefined): Benchmark {
  const isThere = folder !== undefined && existsSync(join(folder, 'expectedresults-0.1.csv'));
  const cases = isThere ? casesOf(folder) : [];
  return {
    name: 'OWASP Benchmark for Python',
    missing: isThere ? missingInPython(['flask', 'yaml']) : 'BENCHMARK_PYTHON names no copy of it',
    folder: '/benchmark/',
    entries: Object.keys(CATEGORY_NAMES).map((label) => `/benchmark/${label}-Index.html`),
    seeds: cases.map(({ seed }) => seed),
    weaknesses: byCategory(cases.filter(({ isVulnerable }) => isVulnerable)),
    async start({ port }) {
      const copy = copyForPython311(folder ?? '');
      const program = `import app; app.app.run(port=${port}, threaded=True)`;
      const running = await ApplicationProcess.start(PYTHON, ['-c', program], { port, cwd: copy });
      return async () => {
        await running.stop();
        rmSync(copy, { recursive: true, force: true });
      };
    },
    judge({ category, method, path }: Report): Judgement {
      const found = cases.find((one) => path.startsWith(one.path));
      if (found === undefined || found.category !== category || method !== 'GET') return 'aside';
      return found.isVulnerable ? { weakness: found.id } : 'false';
    },
  };
}
