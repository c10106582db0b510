import { cleanLine } from '../clean-text';
import { type CsvColumns, type CsvField, type CsvMapping, isCsvField } from '../csv-mapping';
import type { Severity } from '../../kernel/severity';
import type { ScannerFormat } from '../scanner-format';
import { UnreadableFileError } from '../unreadable-file-error';

/**
 * The names that tools use for the column of a field, without case, spaces and punctuation. The first one with a value counts;
 * lists are collected from all of them.
 */
export const SPELLINGS: Readonly<Record<CsvField, readonly string[]>> = {
  rule_id: ['ruleid', 'rule', 'pluginid', 'plugin', 'definitionid', 'checkid', 'templateid', 'vulnidfromtool'],
  title: [
    'title',
    'name',
    'pluginname',
    'definitionname',
    'findingname',
    'issue',
    'vulnerability',
    'vulnerabilityname',
  ],
  severity: ['severity', 'risk', 'risklevel', 'riskfactor', 'criticality'],
  url: ['url', 'uri', 'endpoint', 'affectedurl', 'target'],
  host: ['host', 'hostname', 'fqdn', 'dnsname', 'assetdisplayfqdn', 'domain'],
  address: ['address', 'ip', 'ipaddress', 'ipv4', 'hostip', 'assetdisplayipv4address'],
  port: ['port', 'portnumber'],
  asset: ['asset', 'assetvalue'],
  beacon: ['beacon', 'beaconid', 'beaconname'],
  source: ['source', 'file', 'filename', 'filepath', 'component', 'componentname'],
  description: ['description', 'details', 'desc', 'synopsis', 'definitionsynopsis'],
  impact: ['impact'],
  remediation: [
    'remediation',
    'solution',
    'definitionsolution',
    'mitigation',
    'stepstoremediate',
    'recommendation',
    'fix',
  ],
  cwe: ['cwe', 'cweid', 'cwes', 'definitioncwe'],
  cves: ['cves', 'cve', 'cveid', 'cveids', 'definitioncve', 'vulnerabilityid', 'vulnerabilityids'],
  references: ['references', 'reference', 'seealso', 'definitionseealso', 'links'],
  cvss_vector: [
    'cvssvector',
    'cvss',
    'cvssv4',
    'cvssv4vector',
    'cvssv3',
    'cvssv3vector',
    'cvss3vector',
    'definitioncvss3basevector',
  ],
  evidence: ['evidence', 'proof', 'pluginoutput', 'plugintext', 'output', 'stepstoreproduce'],
  parameter: ['parameter', 'param'],
  seen_at: ['seenat', 'lastseen', 'lastobserved', 'lastfound', 'date'],
};

/** The tables of known tools. */
interface CsvDialect {
  readonly format: ScannerFormat;
  readonly scanner: string;
  /** The columns by which the dialect is recognized, besides those of title and severity. */
  readonly marks: readonly string[];
  readonly severities: readonly (readonly [word: string, severity: Severity])[];
  /** The columns that say that a person or the tool has already decided about a row, and the reason for refusing it. */
  readonly closed: readonly (readonly [column: string, reason: string])[];
}

const nessus = {
  format: 'nessus-csv',
  scanner: 'nessus',
  severities: [
    ['none', 'info'],
    ['0', 'info'],
    ['1', 'low'],
    ['2', 'medium'],
    ['3', 'high'],
    ['4', 'critical'],
  ],
  closed: [],
} as const;

const DIALECTS: readonly CsvDialect[] = [
  { ...nessus, marks: ['pluginid', 'host', 'synopsis'] },
  { ...nessus, marks: ['plugin', 'pluginname', 'family', 'ipaddress'] },
  { ...nessus, marks: ['definitionid', 'definitionname', 'assetdisplayipv4address'] },
  {
    format: 'defectdojo-csv',
    scanner: 'defectdojo',
    marks: ['active', 'verified', 'mitigation'],
    severities: [],
    closed: [
      ['falsepositive', 'It is marked as a false positive.'],
      ['duplicate', 'It is marked as a duplicate.'],
      ['ismitigated', 'It is marked as mitigated.'],
      ['outofscope', 'It is marked as out of scope.'],
    ],
  },
];

const plain: CsvDialect = { format: 'csv', scanner: 'csv', marks: [], severities: [], closed: [] };

export const normalizedName = (text: string): string => text.trim().toLowerCase();

const folded = (column: string): string => column.toLowerCase().replace(/[^a-z\d]/g, '');

/** Limits for the columns that are shown as ignored. */
const MAX_IGNORED = 100;
const MAX_NAME = 100;

/** The meaning of the columns of a table. */
export interface CsvLayout {
  readonly dialect: CsvDialect;
  /** The indexes of the columns of each field. */
  readonly indexes: ReadonlyMap<CsvField, readonly number[]>;
  readonly closed: readonly (readonly [index: number, reason: string])[];
  /** The columns from which no field is read. */
  readonly ignored: readonly string[];
}

/** Undefined if the table has no title or severity. With a mapping, only the columns that it names are read. */
export function layoutOf(columns: readonly string[], mapping: CsvMapping | undefined): CsvLayout | undefined {
  const names = columns.map(folded);
  const indexes = mapping === undefined ? spelledIn(names) : mappedIn(columns, mapping);
  if (!indexes.has('title') || !indexes.has('severity')) return undefined;
  const dialect =
    (mapping === undefined && DIALECTS.find(({ marks }) => marks.every((mark) => names.includes(mark)))) || plain;
  const closed = dialect.closed.flatMap(([column, reason]) =>
    names.includes(column) ? [[names.indexOf(column), reason] as const] : [],
  );
  const read = new Set([...[...indexes.values()].flat(), ...closed.map(([index]) => index)]);
  const ignored = columns
    .filter((_, index) => !read.has(index))
    .map((column) => cleanLine(column, MAX_NAME))
    .filter((column) => column !== null)
    .slice(0, MAX_IGNORED);
  return { dialect, indexes, closed, ignored };
}

/** The columns that are found by their usual names. */
export function usualColumns(columns: readonly string[]): CsvColumns {
  const found = [...spelledIn(columns.map(folded))];
  return Object.fromEntries(found.map(([field, [index = -1]]) => [field, columns[index]]));
}

function spelledIn(names: readonly string[]): Map<CsvField, number[]> {
  const entries = Object.entries(SPELLINGS) as [CsvField, readonly string[]][];
  const found = entries.map(([field, spellings]): [CsvField, number[]] => [
    field,
    spellings.flatMap((spelling) => (names.includes(spelling) ? [names.indexOf(spelling)] : [])),
  ]);
  return new Map(found.filter(([, places]) => places.length > 0));
}

function mappedIn(columns: readonly string[], { columns: mapped }: CsvMapping): Map<CsvField, number[]> {
  const names = columns.map(normalizedName);
  const found = new Map<CsvField, number[]>();
  for (const [field, name] of Object.entries(mapped)) {
    const index = names.indexOf(normalizedName(name));
    if (index !== -1 && isCsvField(field)) found.set(field, [index]);
  }
  return found;
}

/** The layout of a table by its header, or an error. */
export function requireLayout(columns: readonly string[], mapping: CsvMapping | undefined, line: number): CsvLayout {
  const layout = layoutOf(columns, mapping);
  const named = Object.entries(mapping?.columns ?? {});
  const missing = named.find(([, name]) => !columns.map(normalizedName).includes(normalizedName(name)))?.[1];
  if (layout !== undefined && missing === undefined) return layout;
  const wanted = missing === undefined ? 'for the title or the severity' : JSON.stringify(missing);
  const shown = columns.map(normalizedName).join(', ').slice(0, 500);
  throw new UnreadableFileError(line, `The table has no column ${wanted}. Its columns are ${shown}.`, columns);
}
