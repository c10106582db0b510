import type { CsvMapping } from './csv-mapping';
import { decodeText } from './decode-text';
import { readBurpXml } from './formats/burp';
import { readCsv } from './formats/csv';
import { readDefectDojo } from './formats/defectdojo';
import { readGitlabDast } from './formats/gitlab-dast';
import { readNessusXml } from './formats/nessus';
import { readNmapXml } from './formats/nmap';
import { readNuclei } from './formats/nuclei';
import { readSarif } from './formats/sarif';
import { readTestssl } from './formats/testssl';
import { readZapJson, readZapXml } from './formats/zap';
import { type Recognition, recognizeFormat } from './recognize-format';
import type { ScannedRow } from './scanner-finding';
import { SCANNER_FORMATS, type ScannerFormat } from './scanner-format';
import { UnreadableFileError } from './unreadable-file-error';

export interface ScannerFileOptions {
  /** `null`: the format is recognized by the content of the file. */
  readonly format: ScannerFormat | null;
  /** Only for CSV. Without it, columns are recognized by their names. */
  readonly csvMapping?: CsvMapping;
}

export interface ScannerFile {
  /** Known after the beginning of the file was read. Rejects with an `UnreadableFileError`, as `rows` does. */
  readonly format: Promise<ScannerFormat>;
  /** The columns of a table that are not read. Known when `format` is. */
  readonly ignoredColumns: Promise<readonly string[]>;
  /** Can be iterated once. Throws an `UnreadableFileError` at the line that cannot be read, after the rows before it. */
  readonly rows: AsyncIterable<ScannedRow>;
}

/** In characters. The format is recognized by this much of the file. */
const BEGINNING = 64 * 1024;

interface Opened {
  readonly format: ScannerFormat;
  readonly ignoredColumns: readonly string[];
  readonly rows: AsyncIterable<ScannedRow>;
}

/** Reads the results of a scanner's file. The memory that it needs does not depend on the size of the file. */
export function readScannerFile(input: AsyncIterable<Buffer>, options: ScannerFileOptions): ScannerFile {
  let opened: Promise<Opened> | null = null;
  const open = () => (opened ??= openFile(input, options));
  return {
    get format() {
      const format = open().then((file) => file.format);
      // A caller that reads only the rows gets the same error there.
      format.catch(() => undefined);
      return format;
    },
    get ignoredColumns() {
      const ignored = open().then((file) => file.ignoredColumns);
      ignored.catch(() => undefined);
      return ignored;
    },
    rows: (async function* () {
      yield* (await open()).rows;
    })(),
  };
}

async function openFile(input: AsyncIterable<Buffer>, options: ScannerFileOptions): Promise<Opened> {
  const decoded = decodeText(input);
  try {
    const { beginning, text } = await readBeginning(decoded);
    if (beginning.replace(/^\uFEFF/, '').trim() === '') return openEmpty(options, text);
    const recognition = recognize(beginning, options);
    const format = formatOf(recognition, options);
    const { ignoredColumns = [] } = recognition;
    return { format, ignoredColumns, rows: readers[format]({ text, beginning, recognition, options }) };
  } catch (error) {
    // Discards the rest of the file that was not read; otherwise its stream would stay open.
    await decoded.return(undefined);
    throw error;
  }
}

interface Beginning {
  readonly beginning: string;
  /** The whole text, including the beginning. An error in the beginning comes after the text before it. */
  readonly text: AsyncIterable<string>;
}

async function readBeginning(decoded: AsyncGenerator<string>): Promise<Beginning> {
  const pieces: string[] = [];
  let failure: unknown = null;
  try {
    for (let size = 0; size < BEGINNING;) {
      const { value, done = false } = await decoded.next();
      if (done) break;
      pieces.push(value);
      size += value.length;
    }
  } catch (error) {
    if (pieces.length === 0) throw error;
    failure = error;
  }
  async function* whole(): AsyncGenerator<string> {
    try {
      yield* pieces.splice(0);
      if (failure !== null) throw failure;
      yield* decoded;
    } finally {
      await decoded.return(undefined);
    }
  }
  return { beginning: pieces.join('').slice(0, BEGINNING), text: whole() };
}

/** A Nuclei scan without results leaves an empty file. */
function openEmpty({ format }: ScannerFileOptions, text: AsyncIterable<string>): Opened {
  if (format !== 'nuclei-jsonl')
    throw new UnreadableFileError(1, 'The file is empty. If it is of Nuclei, name the format nuclei-jsonl.');
  return { format, ignoredColumns: [], rows: readNuclei(text, false) };
}

/** With a named format, an error in the beginning is not thrown here: reading reports it again, after the rows before it. */
function recognize(beginning: string, { format, csvMapping }: ScannerFileOptions): Recognition {
  try {
    return recognizeFormat(beginning, csvMapping);
  } catch (error) {
    if (format === null || format.endsWith('-xml')) throw error;
    return { format: null, form: 'other' };
  }
}

function formatOf(
  { format: recognized, columns = [] }: Recognition,
  { format: named }: ScannerFileOptions,
): ScannerFormat {
  if (named === null) {
    if (recognized !== null) return recognized;
    const known = SCANNER_FORMATS.join(', ');
    throw new UnreadableFileError(
      1,
      `The format of the file is not recognized. Known formats: ${known}. A table (CSV) needs columns for the title and the severity, or a mapping that names them.`,
      columns.length > 1 ? columns : undefined,
    );
  }
  // The tables of known tools are CSV as well.
  if (named === 'csv' && recognized?.endsWith('-csv')) return recognized;
  if (recognized === named || (recognized === null && !named.endsWith('-xml'))) return named;
  const looks = recognized === null ? '' : ` It looks like ${recognized}.`;
  throw new UnreadableFileError(1, `The file is not of the format ${named}.${looks}`);
}

interface Source extends Beginning {
  readonly recognition: Recognition;
  readonly options: ScannerFileOptions;
}

const readers: Readonly<Record<ScannerFormat, (source: Source) => AsyncIterable<ScannedRow>>> = {
  'nuclei-jsonl': ({ text, recognition }) => readNuclei(text, recognition.form === 'array'),
  sarif: ({ text }) => readSarif(text),
  'zap-json': ({ text }) => readZapJson(text),
  'zap-xml': ({ text }) => readZapXml(text),
  'burp-xml': ({ text }) => readBurpXml(text),
  'nessus-xml': ({ text }) => readNessusXml(text),
  'nmap-xml': ({ text }) => readNmapXml(text),
  'testssl-json': ({ text }) => readTestssl(text),
  'defectdojo-json': ({ text }) => readDefectDojo(text),
  'gitlab-dast-json': ({ text }) => readGitlabDast(text),
  'defectdojo-csv': ({ text, beginning }) => readCsv(text, beginning, undefined),
  'nessus-csv': ({ text, beginning }) => readCsv(text, beginning, undefined),
  csv: ({ text, beginning, options }) => readCsv(text, beginning, options.csvMapping),
};
