import { cpuMs } from '../testing/cpu';
import { checkFromYaml } from './check-from-yaml';

const checkWith = (...blocks: string[]): string =>
  `id: a\ninfo: {name: A sample}\nhttp:\n${blocks.map((block) => `  - {path: ["{{BaseURL}}/x"], ${block}}\n`).join('')}`;
const warningsOf = (...blocks: string[]): string[] => checkFromYaml(checkWith(...blocks)).warnings();

const STATUS = '{type: status, status: [200]}';
const SIZE = '{type: size, size: [12]}';
const WORD = '{type: word, words: ["[core]"]}';
const REGEX = '{type: regex, regex: ["root:[x*]:0:0:"]}';
const NOT_HTML = '{type: word, part: header, words: [text/html], negative: true}';
const WORD_BLOCK = `matchers: [${WORD}]`;
const AND = 'matchers-condition: and';

it('warns about a request that may wait longer than a request takes', () => {
  const source = checkWith(WORD_BLOCK).replace(
    'path: ["{{BaseURL}}/x"]',
    'raw: ["@timeout: 50s\\nGET / HTTP/1.1\\n\\n"]',
  );
  expect(checkFromYaml(source).warnings()).toEqual([
    expect.stringContaining('check.http: http[0].raw[0] may wait longer than 30 seconds'),
  ]);
  expect(checkFromYaml(source.replace('50s', '30s')).warnings()).toEqual([]);
});

it.each([
  ['the status', `matchers: [${STATUS}]`, 'http[0].matchers'],
  ['the size', `matchers: [${SIZE}]`, 'http[0].matchers'],
  ['status and size', `matchers: [${STATUS}, ${SIZE}], ${AND}`, 'http[0].matchers'],
  ['what is not there', `matchers: [${NOT_HTML}]`, 'http[0].matchers'],
  ['the status and what is not there', `matchers: [${NOT_HTML}, ${STATUS}], ${AND}`, 'http[0].matchers'],
  [
    'a field that is not there',
    'matchers: [{type: word, part: header, words: [nosniff], negative: true}]',
    'http[0].matchers',
  ],
  ['another status', 'matchers: [{type: status, status: [404], negative: true}]', 'http[0].matchers'],
  ['content or the status', `matchers: [${WORD}, ${STATUS}]`, 'http[0].matchers[1]'],
  ['content or what is not there', `matchers: [${REGEX}, ${WORD}, ${NOT_HTML}]`, 'http[0].matchers[2]'],
  ['a word of every page', 'matchers: [{type: word, words: [<HTML], case-insensitive: true}]', 'http[0].matchers'],
  ['one of two words of every page', 'matchers: [{type: word, words: ["[core]", <html]}]', 'http[0].matchers'],
  ['the status in words', 'matchers: [{type: word, part: header, words: ["200 OK"]}]', 'http[0].matchers'],
  ['a refusal in words', 'matchers: [{type: word, part: response, words: ["403 Forbidden"]}]', 'http[0].matchers'],
  ['the type of every page', 'matchers: [{type: word, part: content_type, words: [text/html]}]', 'http[0].matchers'],
  ['any text', 'matchers: [{type: regex, regex: ["(?s).*"]}]', 'http[0].matchers'],
  ['any title', 'matchers: [{type: regex, regex: ["<title>.+</title>"]}]', 'http[0].matchers'],
  ['any title that is extracted', 'extractors: [{type: regex, regex: ["<title>.+</title>"]}]', 'http[0].extractors'],
  ['a field of every answer', 'extractors: [{type: kval, kval: [content_type]}]', 'http[0].extractors'],
])('warns about a check that matches %s', (_what, block, place) => {
  expect(warningsOf(block)).toEqual([expect.stringContaining(`check.http: ${place} can match without content`)]);
});

it.each([
  ['a word', `matchers: [${WORD}]`],
  ['an expression', `matchers: [${REGEX}]`],
  ['either of two', `matchers: [${WORD}, ${REGEX}]`],
  ['content, status and what is not there', `matchers: [${WORD}, ${NOT_HTML}, ${STATUS}], ${AND}`],
  ['words of every page and one more', 'matchers: [{type: word, words: [<html, "[core]"], condition: and}]'],
  ['a field of its own', 'matchers: [{type: word, part: x_debug, words: ["on"]}]'],
  ['what is extracted', 'extractors: [{type: regex, regex: ["version=([0-9.]+)"]}]'],
])('does not warn about a check that requires %s', (_what, block) => expect(warningsOf(block)).toEqual([]));

it('names each block that matches without content', () => {
  const blocks = [`matchers: [${STATUS}]`, `matchers: [${WORD}]`, `matchers: [${WORD}, ${SIZE}]`];
  expect(warningsOf(...blocks).map((warning) => warning.split(' ')[1])).toEqual([
    'http[0].matchers',
    'http[2].matchers[1]',
  ]);
  const older = checkWith(`matchers: [${STATUS}]`).replace('http:', 'requests:');
  expect(checkFromYaml(older).warnings()).toEqual([expect.stringContaining('requests[0].matchers')]);
});

it('states the consequence of the problem and its fix', () => {
  expect(warningsOf(`matchers: [${STATUS}]`)).toEqual([
    'check.http: http[0].matchers can match without content that only the weakness shows. Retests then take the page of a firewall or a login for the weakness and say still_vulnerable. Add a word or regex matcher for that content, with "matchers-condition: and".',
  ]);
});

it('takes little time for any expressions', () => {
  // As many as a check may have, all slow on every text.
  const expressions = Array.from({ length: 5 }, (_, at) => `"x${at}|(?s)(.?){320}\\\\z\\\\A"`);
  const check = checkFromYaml(checkWith(`matchers: [{type: regex, regex: [${expressions.join()}]}]`));
  expect(cpuMs(() => check.warnings())).toBeLessThan(3_000);
});
