import type { CsvMapping } from './csv-mapping';
import { headOf } from './formats/csv';
import { layoutOf } from './formats/csv-columns';
import { JsonSplitter, type JsonPlan } from './json-splitter';
import { isObject, parseJson, textOf } from './json-value';
import { isScannerFormat, type ScannerFormat } from './scanner-format';
import { XmlSplitter } from './split-xml';
import { UnreadableFileError } from './unreadable-file-error';

/** What the beginning of a file shows. `form` is the variant, for formats with two. */
export interface Recognition {
  readonly format: ScannerFormat | null;
  readonly form: 'array' | 'other';
  /** The columns of a table that are not read. */
  readonly ignoredColumns?: readonly string[];
  /** Set for a text that may be a table. */
  readonly columns?: readonly string[];
}

/** Recognizes a file by the beginning of its content, never by its name. */
export function recognizeFormat(beginning: string, mapping: CsvMapping | undefined): Recognition {
  const content = beginning.replace(/^\uFEFF/, '').trimStart();
  if (content.startsWith('<')) return { format: recognizeXml(beginning), form: 'other' };
  if (content.startsWith('[')) return { format: recognizeJson(beginning), form: 'array' };
  if (content.startsWith('{')) return { format: recognizeJson(beginning), form: 'other' };
  // A table is recognized by the columns that every finding needs.
  const { columns } = headOf(beginning);
  const table = layoutOf(columns, mapping);
  return { format: table?.dialect.format ?? null, form: 'other', ignoredColumns: table?.ignored ?? [], columns };
}

const ROOTS: ReadonlyMap<string, ScannerFormat> = new Map([
  ['OWASPZAPReport', 'zap-xml'],
  ['issues', 'burp-xml'],
  ['NessusClientData_v2', 'nessus-xml'],
  ['nmaprun', 'nmap-xml'],
]);

function recognizeXml(beginning: string): ScannerFormat | null {
  if (/^\s*(?:<!doctype html|<html)\b/i.test(beginning.replace(/^\uFEFF/, '')))
    throw new UnreadableFileError(1, 'The file is an HTML report: export the results as XML, JSON or CSV.');
  const splitter = new XmlSplitter({ opened: 'all', records: new Set() });
  for (const event of splitter.write(beginning)) {
    if (event.kind !== 'opened') continue;
    const { name, line } = event.element;
    if (name === 'NessusClientData')
      throw new UnreadableFileError(line, 'Version 1 of the format of Nessus is not supported: export version 2.');
    return ROOTS.get(name) ?? null;
  }
  return null;
}

/** The keys that formats are recognized by. Containers are entered, because their beginning is sufficient. */
const marks: Readonly<Record<string, JsonPlan>> = {
  runs: { enter: 'sarif' },
  $schema: { take: 'schema' },
  site: { enter: 'zap-json' },
  '@programName': { take: 'zap-json' },
  findings: { enter: 'defectdojo-json' },
  scanResult: { enter: 'testssl-json' },
  finding: { take: 'testssl-json' },
  // GitLab's reports of other kinds of scans have no such list.
  scan: { enter: 'scan', keys: { scanned_resources: { enter: 'gitlab-dast-json' }, type: { take: 'scan-type' } } },
  'template-id': { take: 'nuclei-jsonl' },
  templateID: { take: 'nuclei-jsonl' },
};

function recognizeJson(beginning: string): ScannerFormat | null {
  try {
    return formatOfJson(beginning);
  } catch (error) {
    if (error instanceof UnreadableFileError && isJsonLines(beginning))
      throw new UnreadableFileError(
        1,
        'The file has a JSON object in each line, and is not of Nuclei, whose JSON lines alone are read. Export it as SARIF or CSV.',
      );
    throw error;
  }
}

const isJsonLines = (beginning: string): boolean =>
  isObject(parseJson(beginning.trimStart().split('\n', 1)[0] ?? '')?.value);

function formatOfJson(beginning: string): ScannerFormat | null {
  const splitter = new JsonSplitter({ enter: 'file', keys: marks, elements: { enter: 'element', keys: marks } });
  for (const event of splitter.write(beginning)) {
    if (isScannerFormat(event.name)) return event.name;
    if (event.name === 'scan-type' && event.kind === 'value' && event.value === 'dast') return 'gitlab-dast-json';
    if (event.kind === 'value' && event.name === 'schema' && /sarif/i.test(textOf(event.value) ?? '')) return 'sarif';
  }
  return null;
}
