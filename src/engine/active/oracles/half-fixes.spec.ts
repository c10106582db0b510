import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Observation } from '../../check';
import { commandInjection } from '../../checks/command-injection';
import { sqlInjection } from '../../checks/sql-injection';
import { describeUnless } from '../../testing/describe-unless';
import type { RealServer } from '../../testing/real-server';
import { SeededRandom } from '../../testing/seeded-random';
import { Experiment, type Oracle } from '../experiment';
import { missingPhp, observeAt, queryPoint, startPhp, startShop } from '../testing/injectable-shop';
import { provedOf } from '../testing/proved-weaknesses';
import { SOUND } from '../testing/simulated-applications';
import { type Application, type Observed, observeApplication, pageWith } from '../testing/simulated-point';
import { probeOf, SOUND_SITES } from '../testing/simulated-sites';
import { readPath } from '../testing/virtual-files';
import { commandInjectionOracle } from './command-injection';
import { headerInjection } from './header-injection';
import { pathTraversal } from './path-traversal';
import { redirectElsewhere } from './redirect-elsewhere';
import { reflectedXss } from './reflected-xss';
import { sqlInjectionOracle } from './sql-injection';
import { templateInjection } from './template-injection';

const jinja = (text: string): string =>
  text.replaceAll(/\{\{(.+?)\}\}|\{%-?print\((.+?)\)-?%\}/g, (_all, one?: string, other?: string) => {
    const expression = one ?? other ?? '';
    const [, left, sign, right] = /^(\d+)([*+])(\d+)$/.exec(expression) ?? [];
    const [, word] = /^'(\w+)'\|reverse$/.exec(expression) ?? [];
    if (word !== undefined) return word.split('').toReversed().join('');
    return String(sign === '*' ? Number(left) * Number(right) : Number(left) + Number(right));
  });
const rendering =
  (filter: (value: string) => string): Application =>
  (value) =>
    pageWith(`<p>Hello ${jinja(filter(value))}</p>`);
const opening =
  (filter: (value: string) => string | null): Application =>
  (value) => {
    const path = filter(value);
    const content = path === null ? null : readPath(path);
    return content === null ? { status: 404, body: '<p>No such page</p>' } : pageWith(`<pre>${content}</pre>`);
  };
const leading =
  (isAllowed: (host: string) => boolean): Application =>
  (value) => {
    const to = URL.canParse(value) ? new URL(value) : null;
    return { status: 302, headers: { location: to !== null && isAllowed(to.hostname) ? value : '/' } };
  };
const heading =
  (decode: (value: string) => string): Application =>
  (value) => {
    const [first = '', line = 'x-none: 1'] = decode(value.replaceAll(/[\r\n\u560a]/g, '')).split(/[\r\n]+/);
    const [name = '', text = ''] = line.split(': ', 2);
    return { status: 302, headers: { location: `/found/${encodeURIComponent(first)}`, [name]: text } };
  };
const decoded = (value: string, times: number): string =>
  times === 0 ? value : decoded(decodeURIComponent(value), times - 1);

/** The syntax of the proof, and the one that proves the weakness after an incomplete fix. */
const HALF: readonly (readonly [string, Oracle, Application, string, string])[] = [
  ['a template without {{', templateInjection, rendering((v) => v.replaceAll('{{', '')), '{{_}}', '{%print(_)%}'],
  ['a template without *', templateInjection, rendering((v) => v.replaceAll('*', '')), '{{_}}', '{{_}} with a sum'],
  [
    'a template without digits',
    templateInjection,
    rendering((v) => v.replaceAll(/\d/g, '')),
    '{{_}}',
    '{{_}} with a word',
  ],
  [
    'files except those of /proc',
    pathTraversal,
    opening((v) => (/etc\/+passwd|proc\//.test(v) ? null : v)),
    'relative',
    'another file, relative',
  ],
  [
    'files at most three folders up',
    pathTraversal,
    opening((v) => (v.split('..').length > 4 ? null : v.startsWith('/') ? 'red' : v)),
    'relative',
    'three folders up',
  ],
  [
    'files behind a filter that decodes once',
    pathTraversal,
    opening((v) => (decoded(v, 1).includes('..') ? null : v.startsWith('/') ? 'red' : decoded(v, 2))),
    'relative',
    'encoded twice more',
  ],
  [
    'hosts that end as its own',
    redirectElsewhere,
    leading((host) => host.endsWith('target.test')),
    'https://@/',
    'https://@~/',
  ],
  [
    'markup without its first sign',
    reflectedXss,
    (v) => pageWith(`<p>${v.replace('<', '').replaceAll('%', '')}</p>`),
    '<@></@>',
    '<<@></@>',
  ],
  [
    'headers after a value that it decodes twice',
    headerInjection,
    heading((v) => decoded(v, /%25/.test(v) ? 2 : 0)),
    'CR LF',
    'CR LF, encoded twice more',
  ],
];

const TRIED = / \(tried: .{1,130}\)$/;

/** The number of syntaxes that a detail says were tried. The number of values varies, because some are drawn at random. */
function triedIn({ outcome }: Observed): number {
  const names = /\(tried: (.+)\)$/.exec('detail' in outcome ? outcome.detail : '')?.[1] ?? '';
  const [, shown = names, more = '0'] = /^(.+), and (\d+) more$/.exec(names) ?? [];
  return shown.split(', ').length + Number(more);
}

describe('half a fix', () => {
  it.each(HALF)('that still runs %s is none in a retest', async (_what, oracle, application, variant, passing) => {
    const { outcome } = await observeApplication(oracle, application, { variant });
    expect(outcome).toMatchObject({ state: 'proved', variant: passing });
    const again = await observeApplication(oracle, application, { variant: passing, isRepeat: true });
    expect(again.outcome).toMatchObject({ state: 'proved', variant: passing });
  });

  it.each([
    ['templates', templateInjection, '{{_}}'],
    ['paths', pathTraversal, 'relative'],
    ['addresses', redirectElsewhere, 'https://@/'],
    ['headers', headerInjection, 'CR LF'],
    ['commands', commandInjectionOracle, 'semicolon'],
    ['statements', sqlInjectionOracle, 'number'],
  ])(
    'is looked for with more %s in a retest than in a job or a repeat, and the detail names some',
    async (_what, oracle, variant) => {
      const escaping: Application = (value) => ({
        headers: { 'x-search': encodeURIComponent(value) },
        ...pageWith(`<p>${value.replaceAll(/\W/g, '')}</p>`),
      });
      const observe = (start: object): ReturnType<typeof observeApplication> =>
        observeApplication(oracle, escaping, { value: '5', ...start });
      const [job, full, repeat] = [
        await observe({}),
        await observe({ variant }),
        await observe({ variant, isRepeat: true }),
      ];
      expect(triedIn(full)).toBeGreaterThan(triedIn(job));
      expect(triedIn(repeat)).toBe(1);
      expect(full.outcome).toMatchObject({ state: 'sound', detail: expect.stringMatching(TRIED) });
      expect(repeat.outcome).toMatchObject({ state: 'sound', detail: expect.stringContaining(`(tried: ${variant})`) });
    },
  );

  it('is none that leads to another host of the own domain', async () => {
    const own = leading((host) => host.endsWith('www.target.test'));
    const { outcome } = await observeApplication(redirectElsewhere, own, {
      variant: 'https://@/',
      host: 'www.target.test',
    });
    expect(outcome.state).toBe('sound');
  });

  it('proves nothing of 200 sound applications in full probes of retests', async () => {
    const random = new SeededRandom(61);
    for (let at = 0; at < 200; at += 1) expect(await provedOf(random.pick(SOUND)(random), 'none')).toEqual([]);
    for (const site of Object.values(SOUND_SITES))
      for (const oracle of [commandInjectionOracle, sqlInjectionOracle]) {
        const experiment = new Experiment(
          queryPoint('/list', '5'),
          probeOf(site, random, () => undefined),
          'none',
        );
        expect((await oracle.observe(experiment)).state).not.toBe('proved');
      }
  });
});

describeUnless(missingPhp(), 'half a fix of a PHP application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-half-'));
  const file = join(folder, 'shop.db');
  let [tool, shop]: RealServer[] = [];

  beforeAll(async () => {
    execFileSync('php', [
      '-r',
      `$d = new PDO('sqlite:${file}'); $d->exec('CREATE TABLE items (id int, name text)'); $d->exec("INSERT INTO items VALUES (5, 'item5'), (6, 'item6')");`,
    ]);
    [tool, shop] = [await startPhp('commands.php'), await startShop([`sqlite:${file}`, null, null])];
  });
  afterAll(async () => {
    await tool?.stop();
    await shop?.stop();
    rmSync(folder, { recursive: true });
  });

  it('lets a shell compute what has none of its words, and only a retest finds it', async () => {
    const seen = (variant?: string): Promise<Observation> =>
      observeAt(commandInjection, tool?.port ?? 0, '/no-words', '127.0.0.1', variant);
    expect(await seen()).toMatchObject({ state: 'not_vulnerable' });
    expect(await seen('semicolon')).toEqual({
      state: 'vulnerable',
      detail: expect.stringContaining('A shell computes what is in the value'),
    });
  });

  it('lets a database evaluate a number without the words of SQL', async () => {
    const seen = await observeAt(sqlInjection, shop?.port ?? 0, '/filtered/number', '5', 'number');
    expect(seen).toEqual({ state: 'vulnerable', detail: expect.stringContaining('SQLite evaluates conditions') });
  });
});
