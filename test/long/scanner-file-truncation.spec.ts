import { CSV_TEMPLATE, type ScannerFormat } from '../../src/scanner-files';
import { exampleFiles, nucleiResult, sarifLog } from '../../src/scanner-files/testing/example-files';
import { readRows } from '../../src/scanner-files/testing/read-rows';

const FILE_BYTES = 150_000;
const STEP = 1_000;

/** Formats whose file may end after each row, so that a truncated one may look complete. */
const LINES: ReadonlySet<ScannerFormat> = new Set<ScannerFormat>(['nuclei-jsonl', 'csv']);

/** A beginning, one part until the file is large enough, each with another number, and an end. */
function fileOf(start: string, part: (number: number) => string, separator: string, end: string): string {
  const parts: string[] = [];
  for (let [size, number] = [0, 0]; size < FILE_BYTES; number++) {
    const next = part(number);
    parts.push(next);
    size += next.length;
  }
  return `${start}${parts.join(separator)}${end}`;
}

function xmlFile(format: ScannerFormat, from: string, to: string): string {
  const file = exampleFiles[format];
  const part = file.slice(file.indexOf(from), file.lastIndexOf(to) + to.length);
  const [start = '', end = ''] = file.split(part);
  return fileOf(start, (number) => `<!-- ${number} -->${part}`, '\n', end);
}

const json = (value: object | undefined) => (number: number) => JSON.stringify({ ...value, number }, null, 1);
const firstOf = (format: ScannerFormat, list: string): object | undefined =>
  (JSON.parse(exampleFiles[format]) as Record<string, object[]>)[list]?.[0];
const [run] = sarifLog.runs;
const header = CSV_TEMPLATE.indexOf('\n') + 1;

const FILES: readonly (readonly [ScannerFormat, string])[] = [
  ['nuclei-jsonl', fileOf('', (number) => JSON.stringify({ ...nucleiResult, ip: `${number}` }), '\n', '\n')],
  [
    'sarif',
    fileOf(
      `{"version":"2.1.0","runs":[{"tool":${JSON.stringify(run?.tool)},"results":[`,
      json(run?.results[0]),
      ',',
      ']}]}',
    ),
  ],
  ['zap-json', fileOf('{"site":[', json(firstOf('zap-json', 'site')), ',', ']}')],
  ['zap-xml', xmlFile('zap-xml', '<alertitem>', '</alertitem>')],
  ['burp-xml', xmlFile('burp-xml', '<issue>', '</issue>')],
  ['nessus-xml', xmlFile('nessus-xml', '<ReportHost', '</ReportHost>')],
  ['defectdojo-json', fileOf('{"findings":[', json(firstOf('defectdojo-json', 'findings')), ',', ']}')],
  ['csv', fileOf(CSV_TEMPLATE.slice(0, header), () => CSV_TEMPLATE.slice(header), '', '')],
];

const linesIn = (bytes: Buffer): number => bytes.reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1);

it.each(FILES)(
  'a file that is truncated at any place gives the rows before it, and the line: %s',
  async (format, text) => {
    const bytes = Buffer.from(text);
    const whole = await readRows(bytes, { format });
    expect(whole.error).toBeNull();
    expect(whole.rows.length).toBeGreaterThan(50);
    const expected = whole.rows.map((row) => JSON.stringify(row));
    let most = 0;
    for (let length = STEP; length < bytes.length - 1; length += STEP) {
      const part = bytes.subarray(0, length);
      const { rows, error } = await readRows(part, { format });
      // The last line can end earlier without looking truncated.
      const certain = error === null && format === 'csv' ? rows.slice(0, -1) : rows;
      expect(certain.map((row) => JSON.stringify(row))).toEqual(expected.slice(0, certain.length));
      most = Math.max(most, certain.length);
      if (error === null) expect(LINES.has(format)).toBe(true);
      else expect([length, error.line >= 1 && error.line <= linesIn(part)]).toEqual([length, true]);
    }
    expect(most).toBeGreaterThan(expected.length * 0.9);
  },
);
