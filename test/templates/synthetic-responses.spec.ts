import { compileTemplate } from '../../src/engine/templates/compile-template';
import { parseTemplate } from '../../src/engine/templates/parse-template';
import { TEMPLATE_LIMITS } from '../../src/engine/templates/template-limits';
import { sampleOf } from './pattern-sample';
import { SyntheticResponses } from './synthetic-responses';

function observationOf(http: string) {
  const parsed = parseTemplate(`id: a\ninfo: {name: a}\n${http}`);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return new SyntheticResponses(compileTemplate(parsed.defined, TEMPLATE_LIMITS.loaded)).observation();
}

it.each([
  [
    'words, a pattern and a status',
    'http:\n  - path: ["{{BaseURL}}/"]\n    matchers-condition: and\n    matchers: [{type: word, words: [a, b], condition: and}, {type: regex, part: header, regex: ["(?i)x-powered-by: PHP/[5-7]\\\\.\\\\d+"]}, {type: status, status: [403]}]',
  ],
  [
    'an expression',
    `http:\n  - path: ["{{BaseURL}}/"]\n    matchers: [{type: dsl, dsl: ['status_code != 200 && (contains(to_lower(body), "admin") || false) && len(body) > 40 && !contains(location, "login")', 'duration >= 6'], condition: and}]`,
  ],
  [
    'values that are passed on',
    'http:\n  - raw: ["GET /one HTTP/1.1\\n\\n", "GET /two?t={{token}}&v={{version}} HTTP/1.1\\n\\n"]\n    extractors: [{type: regex, internal: true, name: token, part: header, group: 1, regex: [\'name="t" value="(\\w+)"\']}, {type: json, internal: true, name: version, json: [".a[0].version"]}]\n    matchers: [{type: dsl, dsl: ["compare_versions(version, \'>= 1.2\', \'< 1.4\') && status_code_2 == 500"]}]',
  ],
  [
    'a flow with random values',
    'flow: http(1) && http(2)\nvariables: {n: "{{rand_int(1000, 9999)}}"}\nhttp:\n  - path: ["{{BaseURL}}/{{randstr}}"]\n    matchers: [{type: word, internal: true, words: ["{{randstr}}"]}]\n  - path: ["{{BaseURL}}/?n={{n}}"]\n    matchers: [{type: word, words: ["{{md5(n)}}"]}]',
  ],
])('responses are made for %s', async (_what, http) => {
  expect(await observationOf(http)).toMatchObject({ state: 'vulnerable' });
});

it('a template whose conditions exclude each other does not match', async () => {
  const both = 'matchers: [{type: regex, regex: ["^a", "^b"], condition: and}]';
  expect(await observationOf(`http:\n  - path: ["{{BaseURL}}/"]\n    ${both}`)).toMatchObject({
    state: 'not_vulnerable',
  });
  const hash = `matchers: [{type: dsl, dsl: ['md5(body) == "d41d8cd98f00b204e9800998ecf8427f"']}]`;
  await expect(observationOf(`http:\n  - path: ["{{BaseURL}}/"]\n    ${hash}`)).rejects.toThrow('the hash of a body');
});

it.each([
  String.raw`^(?:a|b)+[^a-z]\d{2,3}\s*$`,
  String.raw`(?i)\Qa.b\E(?P<n>[[:digit:]]+)?\x41`,
  '[]a]{3}',
  String.raw`v(\d+\.){2}`,
])('a sample of %s matches it', (pattern) => {
  const native = pattern
    .replace('(?i)', '')
    .replace(/\\Q(.*?)\\E/, 'a\\.b')
    .replace('?P<', '?<')
    .replace('[[:digit:]]', '\\d')
    .replace('[]a]', '[\\]a]');
  for (const isLonger of [false, true]) expect(sampleOf(pattern, { isLonger })).toMatch(new RegExp(native));
});
