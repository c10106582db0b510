import * as fc from 'fast-check';
import { cpuMs } from '../engine/testing/cpu';
import { redact, RULES_FOR_SENTENCES } from './redact';

/** The rules of names as they are meant: from each place where a name may begin, which takes long. */
const SECRET_NAME =
  '[\\w.-]{0,40}(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|session|signature|salt|(?:api|app|access|account|private|auth|encryption|master|signing|[a-z]_)[_-]?key)[\\w.-]{0,40}';
const FOLLOWS =
  '(?:["\']?[ \\t]{0,8}(?:=>|=|:[ \\t]{0,8}\\{[ \\t\\r\\n]{0,20}"value"[ \\t]{0,8}:|:)[ \\t]{0,8}|["\'][ \\t]{0,8},[ \\t]{0,8}(?=["\'])|[ \\t]{0,4}<\\/td><td class="v">)';
const PORT_OF_URL = '(?=[\\w.-]{0,120}:\\d{1,5}/)(?<=://[\\w.-]{0,250})';
const CLAUSE_AFTER_PATH =
  '(?=[\\w.-]{0,120}: [a-z]{1,20} [a-z])(?<=(?:^|[\\s(])(?:https?://[\\w.:[\\]-]{1,260})?/[\\w.~%@+/-]{0,300})';
const CLAUSE_AFTER_RECORD = '(?=[\\w.-]{0,120}": [a-z]{1,20} [a-z])(?<= says "v=[^"]{0,1000})';
const quoted = (quote: string): string => `${quote}(?!\\[redacted)(?:[^${quote}\\\\\\r\\n]|\\\\.)+${quote}?`;
const named = (exceptions: string, value: string): RegExp =>
  new RegExp(`\\b(?!${exceptions})(${SECRET_NAME}${FOLLOWS})${value}`, 'gi');

const redactSlowly = (text: string, ...exceptions: string[]): string =>
  text
    .replace(named('(?!)', quoted('"')), '$1"[redacted]"')
    .replace(named('(?!)', quoted("'")), "$1'[redacted]'")
    .replace(named(exceptions.join('|'), `(?!\\[redacted)(?!\\{\\s{0,20}")[^\\s"'&,;<>]+`), '$1[redacted]');

const SECRETS =
  'passwd passwords passphrase pwd secret token credential session signature salt api_key app-key accesskey account_key private_key authkey encryption_key master_key signing_key x_key a_-key Saltoken PWD key'.split(
    ' ',
  );
const FOLLOWERS = ['=', ' = ', '=>', ':', ': ', '":"', "':'", '" : { "value" : ', '", "', "','", '</td><td class="v">'];
/** What else the rules look at. None of it is a secret by another rule. */
const OTHERS =
  `a|B|7|_|-|.| |  |\t|\n|\r\n|"|'|\\|&|,|;|<|>|{|}|/|(|[redacted]|{"|://|http://|:80/|: not a|": not there| says "v=|é|😀`.split(
    '|',
  );
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SECRETS) },
  { weight: 3, arbitrary: fc.constantFrom(...FOLLOWERS) },
  { weight: 4, arbitrary: fc.constantFrom(...OTHERS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'a.', '-', 'pwd', '/a', ' '), fc.integer({ min: 1, max: 140 }))
      .map(([text, times]) => text.repeat(times)),
  },
);
const texts = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));

/** The hash of a password after a name in a file of users is redacted by another rule. */
const HASH_OF_USER = /:[\w./]{13}$/m;

function expectSame(text: string): void {
  expect(redact(text)).toBe(redactSlowly(text, PORT_OF_URL));
  expect(redact(text, RULES_FOR_SENTENCES)).toBe(
    redactSlowly(text, PORT_OF_URL, CLAUSE_AFTER_PATH, CLAUSE_AFTER_RECORD),
  );
}

describe('the redaction of named secrets', () => {
  it('is the same as if every place were tried at which a name may begin', () => {
    const property = fc.property(texts, (text) => {
      fc.pre(!HASH_OF_USER.test(text));
      expectSame(text);
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it.each([
    ['a name', 30, (many: string) => `${many}.pwd${many}=x`],
    ['a name that begins late', 30, (many: string) => `-${many}pwd=x`],
    ['a host', 240, (many: string) => `http://${many}.pwd:80/x`],
    ['a path', 290, (many: string) => `/${many}/pwd: not a`],
    ['the host of a path', 250, (many: string) => `https://${many}/pwd: not a`],
    ['a record', 990, (many: string) => `example.com says "v=${many} pwd": not a`],
  ])('is the same at the longest that counts as %s', (_what, least, text) => {
    for (let length = least; length < least + 30; length += 1) expectSame(text('a'.repeat(length)));
  });

  it.each([
    'pwd.',
    'a.',
    'key-',
    'secret.a.',
    'pwd=',
    'pwd: ',
    '/pwd.',
    '://pwd.',
    'a_key"',
    'says "v=pwd. ',
    'pwd    ',
  ])('takes a time that grows with the text of %s, and no longer than for words', (part) => {
    const textOf = (one: string): string => `${one.repeat(64_000 / one.length)} token`;
    const ms = (text: string): number =>
      Math.min(...[1, 2, 3].map(() => cpuMs(() => [redact(text), redact(text, RULES_FOR_SENTENCES)])));
    const words = textOf('ordinary words of a page ');
    redact(words);
    expect(ms(textOf(part))).toBeLessThan(20 * Math.max(1, ms(words)));
  });
});
