import { type Parser, parse } from 'csv-parse';
import { parse as parseAll } from 'csv-parse/sync';
import type { Severity } from '../../kernel/severity';
import type { CsvField, CsvMapping } from '../csv-mapping';
import { refusedRow, scannedRowOf } from '../raw-finding';
import { joined, textOf } from '../json-value';
import type { FormerRule, ScannedRow } from '../scanner-finding';
import { severityOfWord, unknownSeverity } from '../severity-mapping';
import { UnreadableFileError } from '../unreadable-file-error';
import { type CsvLayout, normalizedName, requireLayout } from './csv-columns';

const DELIMITERS = [',', ';', '\t'] as const;
/** The maximum size of a row, in bytes. */
const MAX_RECORD = 8 * 1024 * 1024;

interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
}

/** The header of a table, and what separates its columns. Excel may write `sep=;` as the first line. */
interface CsvHead {
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly skippedLines: number;
}

export function headOf(beginning: string): CsvHead {
  const lines = beginning
    .replace(/^\uFEFF/, '')
    .replace(/^[\r\n]+/, '')
    .split(/\r\n|\n|\r/, 2);
  const [, named = null] = /^sep=(.)$/i.exec(lines[0] ?? '') ?? [];
  const header = (named === null ? lines[0] : lines[1]) ?? '';
  const unquoted = header.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  const delimiter = named ?? DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  return { delimiter, columns: columnsOf(header, delimiter), skippedLines: named === null ? 0 : 1 };
}

function columnsOf(header: string, delimiter: string): string[] {
  try {
    const [columns = []]: string[][] = parseAll(header, { delimiter, relax_quotes: true });
    return columns;
  } catch {
    // For example, a quote that ends in the next line: then it is not a known header.
    return [];
  }
}

export async function* readCsv(
  text: AsyncIterable<string>,
  beginning: string,
  mapping: CsvMapping | undefined,
): AsyncGenerator<ScannedRow> {
  let reader: RecordReader | null = null;
  for await (const record of splitRecords(text, headOf(beginning))) {
    if (reader === null)
      reader = new RecordReader(record.values, requireLayout(record.values, mapping, record.line), mapping);
    else yield reader.scannedRowOf(record);
  }
  if (reader === null) throw new UnreadableFileError(1, 'The table has no header.');
}

const isTrue = (value: string | undefined): boolean => /^(?:true|yes|1)$/i.test(value?.trim() ?? '');

class RecordReader {
  private readonly severities: ReadonlyMap<string, Severity>;
  private readonly scanner: string;
  private readonly names: readonly string[];
  private readonly hasMapping: boolean;

  constructor(
    private readonly columns: readonly string[],
    private readonly layout: CsvLayout,
    mapping: CsvMapping | undefined,
  ) {
    const severities = Object.entries(mapping?.severities ?? {});
    this.severities = new Map([
      ...layout.dialect.severities,
      ...severities.map(([word, severity]) => [normalizedName(word), severity] as const),
    ]);
    this.names = columns.map(normalizedName);
    this.hasMapping = mapping !== undefined;
    this.scanner = mapping?.scanner ?? layout.dialect.scanner;
  }

  scannedRowOf({ line, values }: CsvRecord): ScannedRow {
    if (values.length !== this.columns.length)
      return refusedRow(line, `It has ${values.length} columns, but the header has ${this.columns.length}.`);
    const all = (name: CsvField) =>
      (this.layout.indexes.get(name) ?? []).map((index) => textOf(values[index])).filter((value) => value !== null);
    const field = (name: CsvField) => all(name)[0] ?? null;
    const closed = this.layout.closed.find(([index]) => isTrue(values[index]));
    if (closed !== undefined) return refusedRow(line, closed[1]);
    const title = field('title');
    if (title === null) return refusedRow(line, 'It has no title.');
    const word = field('severity');
    const severity = this.severities.get(normalizedName(word ?? '')) ?? severityOfWord(word);
    if (severity === null) return refusedRow(line, unknownSeverity(word));
    const ruleId = field('rule_id') ?? title;
    return scannedRowOf({
      line,
      scanner: this.scanner,
      ruleId,
      former: this.formerOf(values, { ruleId, title }),
      title,
      severity,
      description: joined([field('description'), field('impact')]),
      remediation: field('remediation'),
      target: field('url'),
      host: field('host') ?? field('address'),
      port: field('port'),
      address: field('address'),
      source: field('source'),
      asset: field('asset'),
      beacon: field('beacon'),
      cwe: all('cwe'),
      cves: all('cves'),
      references: all('references'),
      cvssVectors: all('cvss_vector'),
      evidence: field('evidence'),
      parameter: field('parameter'),
      seenAt: field('seen_at'),
    });
  }

  /**
   * Earlier versions read tables whose columns have exactly the names of the fields, and treated each as one of an unknown tool.
   */
  private formerOf(values: readonly string[], { ruleId, title }: { ruleId: string; title: string }): FormerRule | null {
    if (this.hasMapping || !['title', 'severity'].every((name) => this.names.includes(name))) return null;
    const former = { scanner: 'csv', ruleId: textOf(values[this.names.indexOf('rule_id')]) ?? title };
    return former.ruleId === ruleId && former.scanner === this.scanner ? null : former;
  }
}

async function* splitRecords(text: AsyncIterable<string>, head: CsvHead): AsyncGenerator<CsvRecord> {
  const records: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    delimiter: head.delimiter,
    from_line: head.skippedLines + 1,
    max_record_size: MAX_RECORD,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Records are collected when they are parsed: an error would discard those that wait in the stream.
    on_record: (values: string[], { lines }) => {
      const linesBelow = values.reduce((count, value) => count + (value.match(/\n/g)?.length ?? 0), 0);
      records.push({ line: lines - linesBelow, values });
      return null;
    },
  });
  const ended = endOf(parser);
  const takeRecords = () => records.splice(0);
  try {
    for await (const piece of withLineFeeds(text)) {
      const failure = await attempt(() => write(parser, piece));
      yield* takeRecords();
      if (failure !== null) throw failure;
    }
    parser.end();
    const failure = await attempt(() => ended);
    yield* takeRecords();
    if (failure !== null) throw failure;
  } finally {
    parser.destroy();
  }
}

/** Replaces each end of a line by a line feed, because the parser counts CR LF in quotes as two lines. */
async function* withLineFeeds(text: AsyncIterable<string>): AsyncGenerator<string> {
  let endsWithReturn = false;
  for await (const piece of text) {
    const rest: string = endsWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    endsWithReturn = rest === '' ? false : rest.endsWith('\r');
    yield rest.replace(/\r\n?/g, '\n');
  }
}

const write = (parser: Parser, piece: string): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(piece, (error) => (error ? reject(error) : resolve()));
  });

function endOf(parser: Parser): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    parser.once('end', resolve);
    parser.on('error', reject);
    parser.resume();
  });
  ended.catch(() => undefined);
  return ended;
}

async function attempt(step: () => Promise<void>): Promise<Error | null> {
  try {
    await step();
    return null;
  } catch (error) {
    return unreadable(error);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'A quoted value does not end before the file does: it is probably truncated.'],
  ['CSV_MAX_RECORD_SIZE', `A row is larger than ${MAX_RECORD / 1024 / 1024} MiB.`],
  ['CSV_INVALID_CLOSING_QUOTE', 'After a quoted value there is something other than a delimiter.'],
]);

function unreadable(error: unknown): Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error as Error;
  const line = 'lines' in error && typeof error.lines === 'number' ? error.lines : 1;
  return new UnreadableFileError(line, REASONS.get(error.code) ?? `The table cannot be read: ${error.message}.`);
}
