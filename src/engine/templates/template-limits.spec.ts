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
