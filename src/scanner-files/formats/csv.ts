import { type Parser, parse } from 'csv-parse';
import type { Severity } from '../../kernel/severity';
import { type CsvColumns, type CsvMapping, csvTemplateMapping } from '../csv-mapping';
import { refusedRow, rowOf } from '../finding-draft';
import { textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfWord, unknownSeverity } from '../severity-mapping';
import { UnreadableFileError } from '../unreadable-file-error';

const DELIMITERS = [',', ';', '\t'] as const;
/** In bytes. */
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

function headOf(beginning: string): CsvHead {
  const lines = beginning
    .replace(/^\uFEFF/, '')
    .replace(/^[\r\n]+/, '')
    .split(/\r\n|\n|\r/, 2);
  const [, named = null] = /^sep=(.)$/i.exec(lines[0] ?? '') ?? [];
  const header = (named === null ? lines[0] : lines[1]) ?? '';
  const unquoted = header.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  const delimiter = named ?? DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  const columns = header.split(delimiter).map(normalized);
  return { delimiter, columns, skippedLines: named === null ? 0 : 1 };
}

const normalized = (column: string): string =>
  column
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
    .toLowerCase();

/** A table is recognized by the columns that every finding needs. */
export function looksLikeCsv(beginning: string, mapping: CsvMapping = csvTemplateMapping): boolean {
  const { columns } = headOf(beginning);
  return [mapping.columns.title, mapping.columns.severity].every((name) => columns.includes(normalized(name)));
}

export async function* readCsv(
  text: AsyncIterable<string>,
  beginning: string,
  mapping: CsvMapping = csvTemplateMapping,
): AsyncGenerator<ScannedRow> {
  const head = headOf(beginning);
  let columns: readonly string[] | null = null;
  let reader: RecordReader | null = null;
  for await (const record of splitRecords(text, head)) {
    if (reader === null) {
      columns = record.values.map(normalized);
      reader = new RecordReader(columns, mapping, record.line);
    } else yield reader.rowOf(record);
  }
  if (columns === null) throw new UnreadableFileError(1, 'The table has no header.');
}

class RecordReader {
  private readonly indexes = new Map<keyof CsvColumns, number>();
  private readonly severities: ReadonlyMap<string, Severity>;

  constructor(
    private readonly columns: readonly string[],
    private readonly mapping: CsvMapping,
    line: number,
  ) {
    for (const [field, name] of Object.entries(mapping.columns) as [keyof CsvColumns, string][]) {
      const index = columns.indexOf(normalized(name));
      if (index !== -1) this.indexes.set(field, index);
      else if (field === 'title' || field === 'severity' || mapping !== csvTemplateMapping)
        throw new UnreadableFileError(
          line,
          `The table has no column ${JSON.stringify(name)}. Its columns are ${columns.join(', ').slice(0, 500)}.`,
        );
    }
    const severities = Object.entries(mapping.severities ?? {});
    this.severities = new Map(severities.map(([word, severity]) => [normalized(word), severity]));
  }

  rowOf({ line, values }: CsvRecord): ScannedRow {
    if (values.length !== this.columns.length)
      return refusedRow(line, `It has ${values.length} columns, but the header has ${this.columns.length}.`);
    const field = (name: keyof CsvColumns) => textOf(values[this.indexes.get(name) ?? -1]);
    const title = field('title');
    if (title === null) return refusedRow(line, 'It has no title.');
    const word = field('severity');
    const severity = this.severities.get(normalized(word ?? '')) ?? severityOfWord(word);
    if (severity === null) return refusedRow(line, unknownSeverity(word));
    return rowOf({
      line,
      scanner: this.mapping.scanner ?? 'csv',
      ruleId: field('rule_id') ?? title,
      title,
      severity,
      description: field('description'),
      remediation: field('remediation'),
      target: field('url'),
      host: field('host'),
      port: field('port'),
      source: field('source'),
      cwe: [field('cwe')],
      cves: [field('cves')],
      references: [field('references')],
      cvssVectors: [field('cvss_vector')],
      evidence: field('evidence'),
      parameter: field('parameter'),
      seenAt: field('seen_at'),
    });
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
    // Records are taken when they are parsed: an error of the stream would discard those that wait in it.
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

/** With every end of a line as a line feed, because the parser counts two lines for the other one in quotes. */
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
