import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTemplates } from './check-template';

const template = (rest: string): string => `id: sample\ninfo: {name: A sample}\n${rest}`;

const FILES = {
  'a/runs.yaml': template(
    'http:\n  - path: ["{{BaseURL}}/a", "{{BaseURL}}/b"]\n    matchers: [{type: word, words: [a]}]',
  ),
  'b/refused.yml': template(
    'flow: |\n  for (const a of b) http(1)\nhttp:\n  - path:\n      - "{{BaseURL}}/a"\n    race: true\n    matchers:\n      - type: word\n        words: [a]\n      - type: word\n        part: nonsense\n        words: [dns]',
  ),
  'b/out-of-band.yaml': template(
    'http:\n  - path: ["{{BaseURL}}/a"]\n    matchers:\n      - {type: word, words: [a]}\n      - type: word\n        part: interactsh_protocol\n        words: [dns]',
  ),
  'b/expression.yaml': template(
    'http:\n  - raw:\n      - |\n        GET /a HTTP/1.1\n        Host: example.com\n    matchers:\n      - type: dsl\n        dsl:\n          - status_code == 200\n          - len(body',
  ),
  'needs.yaml': template(
    'http:\n  - raw:\n      - |\n        POST /a?u={{username}} HTTP/1.1\n        Host: {{Hostname}}\n    matchers: [{type: word, words: [a]}]',
  ),
  'broken.yaml': 'id: a\nhttp: [',
  'notes.txt': 'not a template',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'templates-'));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

it('says for each template of a folder what runs and what does not, with the line', async () => {
  const { text, templates, refused } = await checkTemplates(folder);
  expect([templates, refused]).toEqual([6, 3]);
  const lines = text.replaceAll(`${folder}/`, '').split('\n');
  expect(lines).toEqual([
    'runs     a/runs.yaml: sample, 2 requests',
    'refused  b/expression.yaml',
    '  line 6: http[0].raw[0]: Host may not be set by a check: Host is {{Hostname}}, because only the target is tested',
    '  line 12: http[0].matchers[0].dsl[1]: expected "," before end',
    'runs     b/out-of-band.yaml: sample, 1 request',
    '  line 8: http[0].matchers[1].part: not known without a server for out-of-band requests; without a match the result is inconclusive',
    'refused  b/refused.yml',
    '  line 8: http[0].race is not supported: requests are sent one after the other',
    '  line 13: http[0].matchers[1].part: is not a supported part of a response',
    'refused  broken.yaml',
    expect.stringMatching(/^ {2}line \d: check is not valid YAML: /),
    'needs    needs.yaml: sample, 1 request',
    '  line 6: needs values for username; state them under "variables"',
    '  line 6: sends POST; an admin must allow it for each finding (allow_unsafe)',
    '',
    '6 templates: 2 run, 1 need values, 3 are refused. 1 change state.',
    expect.any(String),
    expect.any(String),
    expect.any(String),
    expect.any(String),
    expect.any(String),
    '',
  ]);
});

it('names a script in a flow, which is read when the fields are right', async () => {
  const file = join(folder, 'flow.yml');
  await writeFile(file, FILES['b/refused.yml'].replace('    race: true\n', '').replace('nonsense', 'body'));
  const { text } = await checkTemplates(file);
  expect(text).toContain('line 3: flow is not supported: only http(1), http(2) and so on');
  expect(text).toMatch(/\n {5}1 {2}flow is not supported\n$/);
});

it('says what is wrong with a path', async () => {
  await expect(checkTemplates(join(folder, 'absent'))).rejects.toThrow('(ENOENT)');
  const empty = await mkdtemp(join(folder, 'empty-'));
  await expect(checkTemplates(empty)).rejects.toThrow('has no files with the ending .yaml or .yml');
});
