import { gzipSync } from 'node:zlib';
import { assert, asyncProperty, nat, uniqueArray } from 'fast-check';
import { readScannerFile, SCANNER_FORMATS, type ScannerFormat } from '.';
import { XmlSplitter } from './split-xml';
import { exampleFiles, nucleiResult } from './testing/example-files';
import { chunksOf, findings, readRows, refusals } from './testing/read-rows';

const EXAMPLES = Object.entries(exampleFiles) as [ScannerFormat, string][];

const formatOf = (content: string | Buffer) => readScannerFile(chunksOf(Buffer.from(content)), { format: null }).format;

describe('the format of a file', () => {
  it.each(EXAMPLES)('is recognized by its content: %s', async (format, content) => {
    expect(await formatOf(content)).toBe(format);
    expect(await formatOf(`\uFEFF\n${content.replace(/^<\?xml.*\?>\n/, '')}`)).toBe(format);
  });

  it('is refused with the list of formats when it is not recognized', async () => {
    const { error } = await readRows('{"name":"something else"}');
    expect(error?.line).toBe(1);
    for (const format of SCANNER_FORMATS) expect(error?.reason).toContain(format);
  });

  it.each(EXAMPLES)('is refused when another one is named: %s', async (format, content) => {
    const named = format === 'zap-xml' ? 'burp-xml' : 'zap-xml';
    const { rows, error } = await readRows(content, { format: named });
    expect(rows).toEqual([]);
    expect(error?.reason).toContain(`The file is not of the format ${named}.`);
  });

  it.each<[string, ScannerFormat, string]>([
    ['{"a":[]}', 'sarif', 'The file has no runs, so it is not SARIF.'],
    ['{"a":[]}', 'zap-json', 'The file has no site, so it is not a report of ZAP.'],
    ['{"a":[]}', 'defectdojo-json', 'The file has no list of findings, so it is not of this format.'],
    ['{"a":[]}', 'gitlab-dast-json', 'The file has no vulnerabilities, so it is not of this format.'],
    ['<a/>', 'nessus-xml', 'The file is not of the format nessus-xml.'],
    ['a,b\n1,2\n', 'csv', 'The table has no column for the title or the severity. Its columns are a, b.'],
  ])('is checked when it is named: %s as %s', async (content, format, reason) => {
    expect((await readRows(content, { format })).error?.reason).toBe(reason);
  });

  it.each([
    ['<!DOCTYPE html><html><body>Report</body></html>', 'The file is an HTML report'],
    ['<NessusClientData></NessusClientData>', 'Version 1 of the format of Nessus is not supported'],
    ['{"matches":[]}\n{"matches":[]}\n', 'The file has a JSON object in each line, and is not of Nuclei'],
    ['', 'The file is empty'],
    [' \n ', 'The file is empty'],
  ])('is explained for files that people send by mistake: %s', async (content, reason) => {
    expect((await readRows(content)).error?.reason).toContain(reason);
  });

  it('may be stated as Nuclei for an empty file, because a scan without results leaves one', async () => {
    expect(await readRows('', { format: 'nuclei-jsonl' })).toEqual({ rows: [], error: null });
  });

  it('can be asked for before and after the rows', async () => {
    const file = readScannerFile(chunksOf(Buffer.from(exampleFiles.sarif)), { format: null });
    expect(await file.format).toBe('sarif');
    let count = 0;
    for await (const row of file.rows) count += row === undefined ? 0 : 1;
    expect([count, await file.format]).toEqual([6, 'sarif']);
  });
});

describe('the input of a file', () => {
  const endless = () => {
    const state = { closed: false };
    async function* content(start: string) {
      try {
        yield Buffer.from(start);
        for (;;) yield Buffer.from(`${JSON.stringify(nucleiResult)}\n`);
      } finally {
        state.closed = true;
      }
    }
    return { state, content };
  };

  it('is closed when its format is refused', async () => {
    const { state, content } = endless();
    expect((await readRows(content('{"unknown":1}\n'))).error).not.toBeNull();
    expect(state.closed).toBe(true);
  });

  it('is closed when a row cannot be read, or when no more rows are wanted', async () => {
    const broken = endless();
    expect((await readRows(broken.content('{"runs":[}'))).error).not.toBeNull();
    const wanted = endless();
    for await (const row of readScannerFile(wanted.content(''), { format: null }).rows) if (row.finding) break;
    expect([broken.state.closed, wanted.state.closed]).toEqual([true, true]);
  });

  it('leaves no unhandled rejection when only the rows are read', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const { format, rows } = readScannerFile(chunksOf(Buffer.from('x')), { format: null });
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow('is not recognized');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    await expect(format).rejects.toThrow('is not recognized');
  });
});

describe('the encoding of a file', () => {
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const nuclei = exampleFiles['nuclei-jsonl'];

  it.each([
    ['UTF-8', Buffer.from(nuclei)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${nuclei}`)],
    ['UTF-16 LE with a byte order mark', Buffer.from(`\uFEFF${nuclei}`, 'utf16le')],
    ['UTF-16 BE with a byte order mark', utf16be(`\uFEFF${nuclei}`)],
    ['UTF-16 LE without a byte order mark', Buffer.from(nuclei, 'utf16le')],
    ['UTF-16 BE without a byte order mark', utf16be(nuclei)],
  ])('is recognized: %s', async (_, content) => {
    const [finding] = findings(await readRows(content));
    expect(finding?.description).toContain('démo');
  });

  it.each([
    ['ISO-8859-1', 'latin1'],
    ['Windows-1252', 'latin1'],
    ['UTF-8', 'utf8'],
  ] as const)('is taken from the XML declaration: %s', async (name, encoding) => {
    const file = exampleFiles['nessus-xml']
      .replace('?>', `encoding="${name}"?>`)
      .replace('old protocols', 'alte Protokolle für TLS');
    const [finding] = findings(await readRows(Buffer.from(file, encoding)));
    expect(finding?.description).toBe('The service accepts alte Protokolle für TLS.');
  });

  it.each([
    ['Shift_JIS', 'The encoding Shift_JIS is not supported.'],
    ['UTF-16', 'The XML declaration names UTF-16, but the bytes are not UTF-16.'],
  ])('is refused by name: %s', async (name, reason) => {
    const { error } = await readRows(exampleFiles['nessus-xml'].replace('?>', `encoding="${name}"?>`));
    expect(error?.reason).toContain(reason);
  });

  it('is refused by name for UTF-32', async () => {
    expect((await readRows(Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]))).error?.reason).toContain('UTF-32');
  });

  it.each([
    ['a byte of another encoding', Buffer.from([0xe9, 0x22])],
    ['a character that is cut in two', Buffer.from([0xc3, 0x22])],
    ['half of a pair', Buffer.from([0xed, 0xa0, 0x80])],
  ])('is an error with its line where it is wrong, after the rows before it: %s', async (_, bytes) => {
    const result = Buffer.from(`${JSON.stringify(nucleiResult)}\n`);
    const content = Buffer.concat([result, result, Buffer.from('{"template-id":"'), bytes, result]);
    const read = await readRows(content);
    expect(findings(read).map(({ line }) => line)).toEqual([1, 2]);
    expect(read.error?.message).toMatch(/^Line 3: The byte 0x(E9|C3|ED) is not valid in UTF-8/);
  });

  it('is an error where the file ends in the middle of a character', async () => {
    const content = Buffer.concat([Buffer.from(exampleFiles.csv), Buffer.from('é').subarray(0, 1)]);
    expect((await readRows(content)).error?.reason).toContain('ends in the middle of a character');
  });

  it.each([
    ['gzip', gzipSync(exampleFiles.sarif)],
    ['zip', Buffer.from('PK\u0003\u0004rest')],
    ['bzip2', Buffer.from('BZh91AY')],
  ])('is not looked for in compressed files: %s', async (name, content) => {
    expect((await readRows(content)).error?.reason).toBe(
      `The file is compressed (${name}): decompress it first, and send the file in it.`,
    );
  });
});

describe('a hostile file', () => {
  const doctype = (declarations: string) => exampleFiles['zap-xml'].replace('?>', `?>\n${declarations}`);

  it.each([
    [
      'an external entity',
      doctype('<!DOCTYPE OWASPZAPReport [<!ENTITY secret SYSTEM "file:///etc/passwd">]>').replace('>q<', '>&secret;<'),
      'declares XML entities',
    ],
    [
      'entities that expand without end',
      doctype(`<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`).replace('>q<', '>&b;<'),
      'declares XML entities',
    ],
    [
      'a parameter entity',
      doctype('<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1/p">%p;]>'),
      'declares XML entities',
    ],
    ['an external DTD', doctype('<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">'), 'refers to an external DTD'],
    ['a public DTD', doctype('<!DOCTYPE x PUBLIC "-//X" "http://127.0.0.1/x.dtd">'), 'refers to an external DTD'],
    [
      'an entity that is not declared',
      exampleFiles['zap-xml'].replace('>q<', '>&secret;<'),
      'that XML itself does not define',
    ],
    ['deep XML', `<issues>${'<a>'.repeat(100_000)}`, 'nested more than 200 levels'],
    ['deep XML in a result', `<issues><issue>${'<a>'.repeat(100_000)}`, 'nested more than 200 levels'],
    [
      'many attributes',
      `<issues ${Array.from({ length: 200 }, (_, n) => `a${n}=""`).join(' ')}>`,
      'more than 100 attributes',
    ],
    ['deep JSON', `{"runs":[${'['.repeat(100_000)}`, 'nested more than 200 levels'],
    ['deep JSON in a key that is skipped', `{"x":${'{"a":'.repeat(100_000)}`, 'nested more than 200 levels'],
    ['a long key', `{"runs":[],"${'k'.repeat(10_000)}":1}`, 'A key is longer than 4096 characters.'],
    ['brackets that do not match', '{"runs":[}', 'The character } is not expected here'],
    ['text after the end', '{"runs":[]} {}', 'The character { is not expected here'],
  ])('is refused with its reason: %s', async (_, content, reason) => {
    expect((await readRows(content)).error?.reason).toContain(reason);
  });

  it('has its results refused one by one where they are not JSON or of another shape', async () => {
    const read = await readRows('{"version":"2.1.0","runs":[{"results":[{"a":tru},1,null,[],{"ruleId":{}}]}]}');
    expect(refusals(read)).toEqual([
      '1: result: It is not valid JSON.',
      '1: It is not a JSON object.',
      '1: It is not a JSON object.',
      '1: It is not a JSON object.',
      '1: It does not say which rule it is of.',
    ]);
  });

  it('leaves the prototype of objects alone', async () => {
    const content = '{"template-id":"a","__proto__":{"polluted":1},"info":{"severity":"constructor"}}\n';
    expect(refusals(await readRows(content))).toEqual([expect.stringContaining('The severity "constructor"')]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('refuses a row that is too large and reads the next one', async () => {
    const large = JSON.stringify({ ...nucleiResult, response: 'x'.repeat(9 * 1024 * 1024) });
    const small = JSON.stringify(nucleiResult);
    for (const content of [`${large}\n${small}\n`, `[${large},\n${small}]`]) {
      const read = await readRows(content);
      expect(refusals(read)).toEqual([expect.stringContaining('is larger than 8 MiB.')]);
      expect(findings(read).map(({ line }) => line)).toEqual([2]);
    }
  });

  it.each([
    ['a text', `<issues><issue><name>${'x'.repeat(9 * 1024 * 1024)}`],
    ['a comment', `<issues><!--${'x'.repeat(9 * 1024 * 1024)}`],
  ])('refuses XML with %s that is too large to be kept', async (_, content) => {
    expect((await readRows(content)).error?.reason).toContain('A text or tag is larger than 8 MiB');
  });
});

describe('elements of XML outside of results', () => {
  it('end the file when there are more than a million, with the line and after the results before them', async () => {
    const [start = ''] = exampleFiles['zap-xml'].split('</site>');
    const read = await readRows(`${start}\n${'<a/>'.repeat(1_000_000)}</site></OWASPZAPReport>`);
    expect(findings(read).length).toBeGreaterThan(0);
    expect(read.error?.message).toBe(
      `Line ${start.split('\n').length + 1}: More than 1,000,000 elements are outside of results: export the results alone.`,
    );
  });

  it('are not given to a format that does not ask for them', () => {
    const splitter = new XmlSplitter({ opened: new Set(['site']), records: new Set(['alertitem']) });
    const events = [...splitter.write('<OWASPZAPReport><a/><a/><site name="x"><a/></site>')];
    expect(events.map((event) => (event.kind === 'opened' ? event.element.name : event.kind))).toEqual(['site']);
  });
});

describe('the rows of a file', () => {
  it.each(EXAMPLES)('before the place where it is truncated stay, wherever that is: %s', async (_, content) => {
    const bytes = Buffer.from(content);
    const whole = await readRows(bytes);
    // Every seventh position, and all of the last ones.
    for (let length = 1; length < bytes.length; length += length < bytes.length - 20 ? 7 : 1) {
      const read = await readRows(bytes.subarray(0, length));
      // The last row of a table or of lines can end earlier without looking truncated.
      const count = Math.max(0, read.rows.length - 1);
      expect(read.rows.slice(0, count)).toEqual(whole.rows.slice(0, count));
      expect(read.rows.length).toBeLessThanOrEqual(whole.rows.length);
    }
  });

  it.each(EXAMPLES.filter(([format]) => !format.endsWith('csv') && format !== 'nuclei-jsonl'))(
    'end with an error when the file is truncated: %s',
    async (format, content) => {
      const bytes = Buffer.from(content.trimEnd());
      for (const length of [bytes.length - 1, Math.floor(bytes.length / 2)]) {
        const { error } = await readRows(bytes.subarray(0, length), { format });
        expect(error?.reason).toContain('truncated');
      }
    },
  );

  it.each(EXAMPLES)('do not depend on how the bytes are split: %s', async (_, content) => {
    const bytes = Buffer.from(content);
    const whole = await readRows(bytes);
    const cutPoints = uniqueArray(nat(bytes.length), { maxLength: 20 });
    await assert(
      asyncProperty(cutPoints, async (cuts) => {
        expect(
          await readRows(
            chunksOf(
              bytes,
              cuts.sort((a, b) => a - b),
            ),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 30 },
    );
    const everyByte = Array.from(bytes, (_, index) => index);
    expect(await readRows(chunksOf(bytes, everyByte))).toEqual(whole);
    const utf16 = Buffer.from(`\uFEFF${content.replace(/^<\?xml.*\?>/, '')}`, 'utf16le');
    expect(
      await readRows(
        chunksOf(
          utf16,
          Array.from(utf16, (_, index) => index),
        ),
      ),
    ).toEqual(await readRows(utf16));
  });
});
