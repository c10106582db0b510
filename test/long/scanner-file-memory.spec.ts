import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CSV_TEMPLATE, readScannerFile, type ScannerFormat, UnreadableFileError } from '../../src/scanner-files';
import { exampleFiles, nucleiResult, sarifLog } from '../../src/scanner-files/testing/example-files';
import { findings, readRows, refusals } from '../../src/scanner-files/testing/read-rows';

const FILE_BYTES = 100 * 1024 * 1024;
/** What reading keeps: the record that is being read, the rules, and what waits between the stages. */
const MAX_GROWTH = 24 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A file of 100 MB: a beginning, one part repeated, and an end. */
interface LargeFile {
  readonly start: string;
  readonly part: string;
  readonly separator: string;
  readonly end: string;
  readonly rowsOfPart: number;
}

const between = (text: string, from: string, to: string): string =>
  text.slice(text.indexOf(from), text.lastIndexOf(to) + to.length);

function xmlFile(format: ScannerFormat, from: string, to: string, rowsOfPart: number): LargeFile {
  const file = exampleFiles[format];
  const part = between(file, from, to);
  const [start = '', end = ''] = file.split(part);
  return { start, part, separator: '\n', end, rowsOfPart };
}

const [sarifRun] = sarifLog.runs;
const zapSite = JSON.stringify((JSON.parse(exampleFiles['zap-json']) as { site: unknown[] }).site[0]);
const finding = JSON.stringify((JSON.parse(exampleFiles['defectdojo-json']) as { findings: unknown[] }).findings[0]);

const LARGE_FILES: readonly [ScannerFormat, LargeFile][] = [
  ['nuclei-jsonl', { start: '', part: JSON.stringify(nucleiResult), separator: '\n', end: '\n', rowsOfPart: 1 }],
  [
    'sarif',
    {
      start: `{"version":"2.1.0","runs":[{"tool":${JSON.stringify(sarifRun?.tool)},"results":[`,
      part: JSON.stringify(sarifRun?.results[0]),
      separator: ',',
      end: ']}]}',
      rowsOfPart: 1,
    },
  ],
  ['zap-json', { start: '{"site":[', part: zapSite, separator: ',', end: ']}', rowsOfPart: 3 }],
  ['zap-xml', xmlFile('zap-xml', '<alertitem>', '</alertitem>', 2)],
  ['burp-xml', xmlFile('burp-xml', '<issue>', '</issue>', 2)],
  ['nessus-xml', xmlFile('nessus-xml', '<ReportHost', '</ReportHost>', 2)],
  ['defectdojo-json', { start: '{"findings":[', part: finding, separator: ',', end: ']}', rowsOfPart: 2 }],
  [
    'csv',
    {
      start: CSV_TEMPLATE.slice(0, CSV_TEMPLATE.indexOf('\n') + 1),
      part: CSV_TEMPLATE.slice(CSV_TEMPLATE.indexOf('\n') + 1),
      separator: '',
      end: '',
      rowsOfPart: 2,
    },
  ],
];

async function* contentOf({ start, part, separator, end }: LargeFile, parts: number): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  const several = Buffer.from(Array.from({ length: 100 }, () => part).join(separator));
  for (let written = 0; written < parts; written += 100)
    yield Buffer.concat([Buffer.from(written === 0 ? '' : separator), several]);
  yield Buffer.from(end);
}

function liveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it.each(LARGE_FILES)('a file of 100 MB is read in the memory of a small one: %s', async (format, file) => {
  const parts = Math.ceil(FILE_BYTES / (Buffer.byteLength(file.part) * 100)) * 100;
  const { rows } = readScannerFile(contentOf(file, parts), { format });
  const before = liveBytes();
  const expected = parts * file.rowsOfPart;
  let [count, growth] = [0, 0];
  for await (const row of rows) {
    count += row.finding === undefined && row.refused === undefined ? 0 : 1;
    if (count % Math.ceil(expected / 10) === 0) growth = Math.max(growth, liveBytes() - before);
  }
  expect(count).toBe(expected);
  expect(growth).toBeLessThan(MAX_GROWTH);
});

/** Files whose one value never ends. They are refused as a whole or as a row, long before they fit into memory. */
const ENDLESS: readonly [string, ScannerFormat, string, string][] = [
  ['a JSON string', 'sarif', '{"version":"2.1.0","runs":[{"results":[{"message":"', 'x'],
  ['a skipped JSON value', 'sarif', '{"version":"2.1.0","runs":[{"x":[', '1,'],
  ['a JSON key', 'sarif', '{"version":"2.1.0","runs":[],"', 'x'],
  ['a line', 'nuclei-jsonl', '{"template-id":"x","a":"', 'x'],
  ['an XML text', 'burp-xml', '<issues><issue><name>', 'x'],
  ['an XML tag', 'burp-xml', '<issues><issue ', 'x'],
  ['an XML record', 'burp-xml', '<issues><issue>', '<a>x</a>'],
  ['an XML comment', 'burp-xml', '<issues><!--', 'x'],
  ['an alert with instances', 'zap-xml', '<OWASPZAPReport><site><alertitem>', '<instance><uri>x</uri></instance>'],
  ['rules', 'sarif', '{"version":"2.1.0","runs":[{"tool":{"driver":{"rules":[', '{"id":"x"},'],
  ['results before the tool', 'sarif', '{"version":"2.1.0","runs":[{"results":[', '{"ruleId":"x"},'],
  ['a quoted value of a table', 'csv', 'title,severity\n"', 'x'],
];

it.each(ENDLESS)('%s without an end is not kept', async (_, format, start, part) => {
  const piece = Buffer.from(part.repeat(Math.ceil(65_536 / part.length)));
  let [count, growth] = [0, 0];
  const before = liveBytes();
  async function* content() {
    yield Buffer.from(start);
    for (let written = 0; written < FILE_BYTES; written += piece.length) {
      yield piece;
      if (written % (80 * piece.length) === 0) growth = Math.max(growth, liveBytes() - before);
    }
  }
  let error: unknown = null;
  const refused: string[] = [];
  try {
    for await (const row of readScannerFile(content(), { format }).rows) {
      count += row.finding === undefined ? 0 : 1;
      if (row.refused !== undefined) refused.push(row.refused.reason);
    }
  } catch (failure) {
    error = failure;
  }
  expect(count).toBe(0);
  // A line is refused as a row, everything else as the file.
  if (format === 'nuclei-jsonl') expect(refused).toEqual([expect.stringContaining('larger than 8 MiB')]);
  else expect(error).toBeInstanceOf(UnreadableFileError);
  // Rules and results before the tool are kept on purpose, up to 24 MiB of text.
  expect(growth).toBeLessThan(120 * 1024 * 1024);
});

it('refuses the instances of an alert of ZAP beyond what is kept, and says from which line on', async () => {
  const instances = Array.from({ length: 50_002 }, () => '{"uri":"http://a.example/"}').join(',\n');
  const report = `{"site":[{"alerts":[{"pluginid":"1","riskcode":"1","instances":[${instances}]}]}]}`;
  const read = await readRows(report);
  expect(findings(read)).toHaveLength(50_000);
  expect(refusals(read)).toEqual([
    '50001: Its alert has too many instances: this and the following ones are not read.',
  ]);
});
