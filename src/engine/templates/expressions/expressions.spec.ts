import { readFileSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { ResponseSearch } from '../response-search';
import { evaluate } from './evaluate';
import type { Environment } from './function-table';
import { functionNames } from './functions';
import { parseExpression } from './parse-expression';
import { TextTemplate } from './text-template';
import { bytesOf, ExpressionError, ExpressionLimitExceeded, textFromBytes, type Value } from './value';
import { WorkBudget } from './work-budget';

const NAMES: Readonly<Record<string, Value>> = {
  body: '<title>Acme 4.2.1</title>',
  status_code: 200,
  n: 1,
  num: '999',
  found: true,
  list: ['a', 'b'],
};

const environment = (names = NAMES): Environment => ({
  lookup: (name) => (Object.hasOwn(names, name) ? names[name] : undefined),
  search: {
    includes: async (word, text) => text.includes(word),
    toLowerCase: async (text) => text.toLowerCase(),
    matches: async (pattern, text) => pattern.length < 100 && text.startsWith(pattern.slice(1)),
    replace: (...given) => new ResponseSearch(new Map()).replace(...given),
  },
  work: new WorkBudget(),
  randomBelow: (limit) => limit - 1,
  now: new Date('2026-03-04T05:06:07Z'),
});

const valueOf = (source: string): Promise<Value> => evaluate(parseExpression(source), environment());

describe('the value of an expression', () => {
  it.each<[string, Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ** 3 ** 2', 512],
    ['10 - 2 - 3', 5],
    ['7 % 4 + 0x10', 19],
    ['-2 + ~0', -3],
    ['1 < 2 && 2 <= 2 && 3 > 2 && !(3 >= 4)', true],
    ['1 == 1 || unknown == 2', true],
    ['false && unknown == 2', false],
    ['"a" + 1', 'a1'],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"a\nb"`, 'anb'],
    ['status_code == 200 ? "yes" : "no"', 'yes'],
    ['missing ?? "else"', 'else'],
    ['"a" in list', true],
    ['3 in (1, 2, 3)', true],
    ['status_code == "200"', false],
    ['"{{num}}" == "999"', true],
    ['{{num}} + 1', 1000],
    ['"{{md5("a")}}"', '0cc175b9c0f1b6a831c399e269772661'],
    ['"{{7*7}}"', '{{7*7}}'],
    ['1 & 3 | 4 ^ 1', 4],
    ['1 << 4 >> 1', 8],
  ])('%s', async (source, value) => expect(await valueOf(source)).toEqual(value));

  it.each([
    ['nothing', '', 'ends too early'],
    ['an operator alone', '1 +', 'ends too early'],
    ['an open parenthesis', '(1', 'expected ","'],
    ['an open text', '"a', 'not closed'],
    ['another sign', '1 @ 2', 'unexpected "@ 2"'],
    ['an unknown function', 'resolve("a")', 'the function resolve is not supported'],
    ['too many values', 'md5("a", "b")', 'md5 takes 1 values'],
    ['too many parts', '1+'.repeat(2_000), 'more than 2000 parts'],
    ['depth', '('.repeat(100), 'too deeply'],
    ['prefixes', '!'.repeat(100), 'too deeply'],
    ['braces in braces', `"${'{{"'.repeat(80)}`, 'not closed'],
    ['many open braces', `"${'{{'.repeat(15_000)}}}"`, 'too many of its braces'],
    ['length', ' '.repeat(40_000), 'longer than'],
  ])('cannot be read: %s', (_what, source, reason) => expect(() => parseExpression(source)).toThrow(reason));

  it.each([
    ['an unknown name', 'a == 1'],
    ['a text in arithmetic', '"a" * 2'],
    ['numbers as conditions', '1 && 1'],
    ['different types in an order', '"a" < 1'],
    ['a division by zero', '1 / 0'],
    ['what is no version', 'compare_versions("latest", "> 1")'],
    ['what is no base64', 'base64_decode("%%")'],
    ['what is no gzip', 'gzip_decode("a")'],
    ['what is no JSON', 'json_minify("{")'],
    ['a key of the wrong length', 'aes_cbc("a", "b", "c")'],
  ])('is missing: %s', (_what, source) => expect(valueOf(source)).rejects.toThrow(ExpressionError));

  it.each([
    ['a text that is repeated', 'repeat("a", 2000000)'],
    ['a text that grows', 'repeat(repeat("a", 1000000), 1000000)'],
    ['padding', 'padding("a", "b", 2000000, "prefix")'],
    ['replacements', 'replace(repeat("a", 100000), "a", repeat("b", 1000))'],
    ['a large unpacked value', 'zlib_decode(zlib(repeat("a", 1000000) ))+ "a"'],
    ['a random text', 'rand_base(1000000)'],
    ['a list', 'split(repeat("a", 100000), "a")'],
    ['a long pattern', 'replace(repeat("a", 100000), repeat("a", 50000), "b")'],
  ])('is limited: %s', (_what, source) => expect(valueOf(source)).rejects.toThrow(ExpressionLimitExceeded));
});

describe('a function', () => {
  it.each<[string, Value]>([
    ['to_lower("ABC")', 'abc'],
    ['tolower("ABC")', 'abc'],
    ['to_upper("abc")', 'ABC'],
    ['to_title("a quick fox")', 'A Quick Fox'],
    ['len("é")', 2],
    ['len(list)', 2],
    ['reverse("abc")', 'cba'],
    ['concat("a", 1, true)', 'a1true'],
    ['join(", ", "a", "b")', 'a, b'],
    ['repeat("ab", 3)', 'ababab'],
    ['padding("1", "0", 4, "prefix")', '0001'],
    ['padding("1", "0", 4, "suffix")', '1000'],
    ['replace("a.b.c", ".", "-")', 'a-b-c'],
    ['replace_regex("a12b3", "[0-9]+", "x")', 'axbx'],
    ['substr("abcdef", 2)', 'cdef'],
    ['substr("abcdef", 2, 4)', 'cd'],
    ['index(split("a,b,c", ","), 1)', 'b'],
    ['count("banana", "an")', 2],
    ['trim("xxaxx", "x")', 'a'],
    ['trim_left("xxaxx", "x")', 'axx'],
    ['trim_right("xxaxx", "x")', 'xxa'],
    ['trim("xx", "x")', ''],
    ['trim_space(" a ")', 'a'],
    ['trimprefix("v1.2", "v")', '1.2'],
    ['trim_suffix("a.php", ".php")', 'a'],
    ['remove_bad_chars("a-b_c", "-_")', 'abc'],
    ['to_number("12") + 1', 13],
    ['equals_any("b", "a", "b")', true],
    ['contains(body, "Acme")', true],
    ['contains_all(body, "Acme", "title")', true],
    ['contains_all(body, "Acme", "none")', false],
    ['contains_any(body, "none", "title")', true],
    ['contains_any(body, "none", "nothing")', false],
    ['starts_with(body, "<title>")', true],
    ['ends_with(body, "</title>", "x")', true],
    ['line_starts_with(concat("a", "b"), "a")', true],
    ['regex("^<title>", body)', true],
    ['regex_any("^x", "^<title>", body)', true],
    ['regex_all("^x", "^<title>", body)', false],
    ['body =~ "^<title>"', true],
    ['body !~ "^<title>"', false],
    ['md5("{{num}}")', 'b706835de79a2b4e80506f582af3676a'],
    ['sha1("a")', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
    ['sha256("a")', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
    ['hmac("sha1", "a", "key")', '0db21f05052f323e714ef9bf1f7b000ffe97e8a0'],
    ['mmh3("a")', '1009084850'],
    ['base64("a")', 'YQ=='],
    ['base64_decode("YQ==")', 'a'],
    ['base64_py("a")', 'YQ==\n'],
    ['hex_encode("a")', '61'],
    ['hex_decode("61")', 'a'],
    ['base64(hex_decode("aced0005"))', 'rO0ABQ=='],
    ['url_encode("a b&é")', 'a%20b%26%C3%A9'],
    ['url_decode("a%20b+c")', 'a b c'],
    ['html_escape("<a>")', '&lt;a&gt;'],
    ['html_unescape("&lt;a&gt;")', '<a>'],
    ['gzip_decode(gzip("abc"))', 'abc'],
    ['zlib_decode(zlib("abc"))', 'abc'],
    ['inflate(deflate("abc"))', 'abc'],
    ['hex_encode(xor("ab", "  "))', '4142'],
    ['hex_encode(aes_cbc("a", "0123456789abcdef", "0123456789abcdef"))', '4694c9b4c3f491d04428ebd697e40581'],
    [`json_minify('{ "a": [1, 2] }')`, '{"a":[1,2]}'],
    ['dec_to_hex(255)', 'ff'],
    ['hex_to_dec("ff")', 255],
    ['oct_to_dec("17")', 15],
    ['bin_to_dec("101")', 5],
    ['compare_versions("1.2.3", "< 1.10")', true],
    ['compare_versions("v1.2.3", ">= 1.2.3", "!= 1.2.4")', true],
    ['compare_versions("1.2.3", ">= 1.0, < 1.2")', false],
    ['compare_versions("2.0.0-rc1", "< 2.0.0")', true],
    ['compare_versions("2.0.0-rc.2", "> 2.0.0-rc.1")', true],
    ['rand_base(3)', '999'],
    ['rand_base(3, "ab")', 'bbb'],
    ['rand_char("xyz")', 'z'],
    ['rand_int(1, 10)', 9],
    ['rand_text_alpha(2)', 'ZZ'],
    ['rand_text_alpha(2, "Z")', 'YY'],
    ['rand_text_alphanumeric(2)', '99'],
    ['rand_text_numeric(2)', '99'],
    ['unix_time()', 1_772_600_767],
    ['unix_time(60)', 1_772_600_827],
    ['to_unix_time("2026-03-04T05:06:07Z")', 1_772_600_767],
    ['date_time("%Y-%M-%D %H:%m")', '2026-03-04 05:06'],
    ['date_time("02 Jan 2006, 15:04:05")', '04 Mar 2026, 05:06:07'],
    ['date_time("2006-01-02", 0)', '1970-01-01'],
    [`generate_jwt('{"a":1}', "HS256", "key")`, 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.'],
  ])('%s', async (source, value) => {
    const seen = await valueOf(source);
    if (source.startsWith('generate_jwt')) expect(seen).toContain(value);
    else expect(seen).toEqual(value);
  });

  it('packs files into an archive whose directory leads to them', async () => {
    const archive = bytesOf(String(await valueOf(`zip('a/b.txt', 'first first first', 'c', '')`)));
    const end = archive.subarray(-22);
    expect([end.readUInt32LE(0), end.readUInt16LE(10)]).toEqual([0x06054b50, 2]);
    const files: Record<string, string> = {};
    for (let at = end.readUInt32LE(16); at < archive.length - end.length;) {
      const [crc, packed, nameLength] = [
        archive.readUInt32LE(at + 16),
        archive.readUInt32LE(at + 20),
        archive.readUInt16LE(at + 28),
      ];
      const name = archive.toString('latin1', at + 46, at + 46 + nameLength);
      const file = archive.readUInt32LE(at + 42);
      expect(archive.readUInt32LE(at)).toBe(0x02014b50);
      expect(archive.readUInt32LE(file)).toBe(0x04034b50);
      expect(archive.toString('latin1', file + 30, file + 30 + nameLength)).toBe(name);
      const content = inflateRawSync(archive.subarray(file + 30 + nameLength, file + 30 + nameLength + packed));
      expect(crc32(content)).toBe(crc);
      files[name] = content.toString();
      at += 46 + nameLength;
    }
    expect(files).toEqual({ 'a/b.txt': 'first first first', c: '' });
    await expect(valueOf(`zip('a', 'b', 'c')`)).rejects.toThrow('zip takes a name and a text for each file');
  });

  it('takes names with and without underscores', () => {
    for (const name of functionNames()) expect(() => parseExpression(name.replaceAll('_', ''))).not.toThrow();
    expect(functionNames().length).toBeGreaterThan(70);
  });

  it('is named in docs/templates.md', () => {
    const page = readFileSync('docs/templates.md', 'utf8');
    expect(functionNames().filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('a text with expressions', () => {
  const fill = (source: string, keeps = false): Promise<string> =>
    TextTemplate.parse(source).fill(environment(), keeps);

  it.each([
    ['a{{num}}b', 'a999b'],
    ['{{ num }}{{num}}', '999999'],
    ['{{md5({{num}})}}', 'b706835de79a2b4e80506f582af3676a'],
    ['{{base64("{{num}}")}}', 'OTk5'],
    ['{{7*7}} {{"a":{"b":1}}', '{{7*7}} {{"a":{"b":1}}'],
    ['{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{{', '{{'],
    ['{{ {{num}}', '{{ 999'],
  ])('%s', async (source, text) => expect(await fill(source)).toBe(text));

  it('names a value that is missing, or keeps its braces', async () => {
    await expect(fill('{{nonce}}')).rejects.toMatchObject({ variable: 'nonce' });
    expect(await fill('a {{nonce}}', true)).toBe('a {{nonce}}');
  });

  it('may have open braces, but only as many as can be searched quickly for their ends', () => {
    expect(TextTemplate.parse(`${'{{'.repeat(300)}}}`).literals).toEqual([]);
    expect(() => TextTemplate.parse(`${'{{'.repeat(30_000)}}}`)).toThrow('too many of its braces');
  });

  it('never evaluates what a value contains', async () => {
    const hostile = environment({ token: '{{md5("a")}}' });
    expect(await TextTemplate.parse('{{token}}').fill(hostile)).toBe('{{md5("a")}}');
    expect(await TextTemplate.parse('{{concat("{{token}}", "")}}').fill(hostile)).toBe('{{md5("a")}}');
  });

  it('has the same label in each run', () => {
    const text = TextTemplate.parse('/{{Path}}/{{rand_base(6)}}?n={{nonce}}');
    expect(text.label({ Path: 'app' })).toBe('/app/{{rand_base(6)}}?n={{nonce}}');
  });
});

describe('bytes', () => {
  it('become a text, and the same bytes again', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(bytesOf(textFromBytes(Buffer.from(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });
});

/** Sources that resemble expressions, most of them invalid. */
const operand = fc.oneof(
  fc.constantFrom(
    'body',
    'status_code',
    'num',
    'list',
    'found',
    'missing',
    'true',
    '"a"',
    "'{{num}}'",
    '{{num}}',
    '0x1f',
  ),
  fc.nat().map(String),
  fc.string({ maxLength: 5 }),
);
const operator = fc.constantFrom(
  '+',
  '-',
  '*',
  '/',
  '%',
  '**',
  '==',
  '!=',
  '<',
  '>=',
  '&&',
  '||',
  '=~',
  '??',
  '<<',
  '?',
  ':',
  ',',
  'in',
);
const { source } = fc.letrec<{ source: string; call: string; binary: string }>((tie) => ({
  source: fc.oneof({ depthSize: 'small', withCrossShrink: true }, operand, tie('call'), tie('binary')),
  call: fc
    .tuple(fc.constantFrom(...functionNames()), fc.array(tie('source'), { maxLength: 4 }))
    .map(([name, values]) => `${name}(${values.join(', ')})`),
  binary: fc.tuple(tie('source'), operator, tie('source')).map(([left, sign, right]) => `(${left} ${sign} ${right})`),
}));

const outcomeOf = async (text: string): Promise<unknown> => {
  try {
    return await evaluate(parseExpression(text), environment());
  } catch (error) {
    return error;
  }
};

it('a hostile expression has a value of bounded length, or an error of its own', async () => {
  await fc.assert(
    fc.asyncProperty(source, async (text) => {
      const outcome = await outcomeOf(text);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ExpressionError);
      else expect(JSON.stringify(outcome).length).toBeLessThan(7_000_000);
    }),
    { numRuns: 1_500 },
  );
});

it('reading any text as an expression ends with an error of its own, or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}()"\'\\ab1+,?:!')), maxLength: 300 }), (text) => {
      const literal = TextTemplate.parse(text);
      expect(literal.source).toBe(text);
      try {
        parseExpression(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
      }
    }),
    { numRuns: 1_000 },
  );
});
