import { cpuMs } from '../testing/cpu';
import { checkFromYaml } from './check-from-yaml';
import { inspectTemplate } from './inspect-template';

const withPayloads = (count: number, path = '/{{a}}'): string =>
  `id: a\ninfo: {name: a}\nhttp:\n  - path: ["{{BaseURL}}${path}"]\n    payloads: {a: [${Array.from({ length: count }, (_none, at) => at).join()}]}\n    matchers: [{type: word, words: [a]}]`;

it('a template of a request has at most 20 values of a payload, and a loaded one 1,000', () => {
  expect(checkFromYaml(withPayloads(20)).id).toBe('http:a');
  expect(() => checkFromYaml(withPayloads(21))).toThrow('a has 21 values, which are more than 20');
  expect(checkFromYaml(withPayloads(1_000), { origin: 'loaded' }).id).toBe('http:a');
  expect(inspectTemplate(withPayloads(1_000))).toMatchObject({ refusals: [], requests: 1_000 });
  expect(() => checkFromYaml(withPayloads(1_001), { origin: 'loaded' })).toThrow(
    'a has 1001 values, which are more than 1000',
  );
});

it('a loaded template sends at most 60 requests that depend on each other, because each repeat sends them all', () => {
  const dependent = '/{{a}}?n={{randstr}}';
  expect(checkFromYaml(withPayloads(60, dependent), { origin: 'loaded' }).sendsAll).toBe(true);
  expect(() => checkFromYaml(withPayloads(61, dependent), { origin: 'loaded' })).toThrow(
    'http sends 61 requests that depend on each other, which are more than 60',
  );
});

const HEAD = 'id: a\ninfo: {name: a}\n';
const many = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_none, at) => part(at)).join('');
const withVariables = (count: number, value: (at: number) => string): string =>
  `${HEAD}variables:\n${many(count, (at) => `  v${at}: '${value(at)}'\n`)}http:\n  - path: ["{{BaseURL}}"]\n    matchers: [{type: word, words: [a]}]\n`;
const withExpressions = (...dsl: string[]): string =>
  `${HEAD}http:\n  - path: ["{{BaseURL}}"]\n    matchers:\n      - type: dsl\n        dsl:\n${dsl.map((one) => `          - '${one}'\n`).join('')}`;

it.each([
  [
    'all its variables',
    withVariables(100, () => 'a'),
    withVariables(101, () => 'a'),
    'variables: has more than 100 entries',
  ],
  [
    'payloads of a block',
    withPayloads(1)
      .replace('{a: [0]}', `{a: [0]${many(19, (at) => `, b${at}: [0]`)}}, attack: pitchfork`)
      .replace('}, attack', '}\n    attack'),
    withPayloads(1).replace('{a: [0]}', `{a: [0]${many(20, (at) => `, b${at}: [0]`)}}`),
    'payloads: has more than 20 entries',
  ],
  [
    'parts of all its expressions',
    withVariables(1, () => '{{b}}'.repeat(1_999)),
    withVariables(1, () => '{{b}}'.repeat(2_001)),
    'together its expressions have more than 4000 parts',
  ],
  [
    'braces that are nested or not closed',
    withVariables(1, () => `${'{{'.repeat(300)}}}`),
    withVariables(10, (at) => `${at}${'{{'.repeat(300)}}}`),
    'too many of its braces are nested or not closed',
  ],
])('a template has a limit of %s', (_what, most, more, refusal) => {
  expect(() => checkFromYaml(more)).toThrow(refusal);
  expect(() => checkFromYaml(more, { origin: 'loaded' })).toThrow(refusal);
  expect(inspectTemplate(more).refusals).toMatchObject([
    { text: expect.stringContaining(refusal.split(': ').at(-1) ?? '') },
  ]);
  expect(inspectTemplate(most).refusals.map(({ text }) => text)).not.toContainEqual(expect.stringContaining(refusal));
});

/** Uses a different text each time, because recent ones are cached. */
function msOf(source: string): number {
  const times = Array.from({ length: 5 }, (_none, time) =>
    cpuMs(() => inspectTemplate(`${source}#${'x'.repeat(time)}`)),
  );
  return Math.min(...times);
}

it.each([
  ['of variables that need each other', withVariables(100, (at) => many(19, (to) => `{{v${(at + to) % 100}}}`))],
  [
    'of variables that lead to the missing server',
    withVariables(100, (at) => (at < 99 ? `{{v${at + 1}}}` : '{{interactsh-url}}')),
  ],
  ['of conditions joined by and', withExpressions(`a${' && body'.repeat(990)}`, `b${' && body'.repeat(990)}`)],
  ['of conditions joined by or', withExpressions(`a${' || body'.repeat(990)}`, `b${' || body'.repeat(990)}`)],
  ['of braces in braces', withExpressions(many(40, (at) => (at % 2 ? '"{{' : "''{{")) + 'a'.repeat(8_000))],
  ['of empty braces', withVariables(1, () => '{{}}'.repeat(3_990))],
  ['of expressions that cannot be read', withVariables(1, () => many(1_300, (at) => `{{a b${at}}}`))],
  ['of one expression too many', withVariables(1, () => '{{b}}'.repeat(12_000))],
  ['of one variable too many', withVariables(3_000, (at) => `{{v${at + 1}}}`)],
])('a template %s takes no longer than one of ordinary words that is as long', (_what, source) => {
  const words = `${HEAD}http:\n  - path: ["{{BaseURL}}"]\n    matchers:\n${many(20, (block) => `      - {type: word, words: [${many(190, (at) => `word${block}x${at},`)}]}\n`)}`;
  expect(msOf(source)).toBeLessThan(5 * msOf(words));
});
