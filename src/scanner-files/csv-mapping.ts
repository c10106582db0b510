import type { Severity } from '../kernel/severity';

/** The fields of a finding that a column may contain. */
export const CSV_FIELDS = [
  'rule_id',
  'title',
  'severity',
  'url',
  'host',
  'address',
  'port',
  'source',
  'asset',
  'beacon',
  'description',
  'impact',
  'remediation',
  'cwe',
  'cves',
  'references',
  'cvss_vector',
  'evidence',
  'parameter',
  'seen_at',
] as const;

export type CsvField = (typeof CSV_FIELDS)[number];

export const isCsvField = (text: string): text is CsvField => CSV_FIELDS.some((field) => field === text);

/** The name of the column for each field. Case does not matter. */
export type CsvColumns = Readonly<Partial<Record<CsvField, string>>>;

export interface CsvMapping {
  readonly columns: CsvColumns;
  /** The name of the tool that wrote the table. Default: `csv`. */
  readonly scanner?: string;
  /** The file's words for severities, if they differ from ours. Case does not matter. */
  readonly severities?: Readonly<Record<string, Severity>>;
}

/** A file to fill in: the header and two examples. */
export const CSV_TEMPLATE = [
  'rule_id,title,severity,url,host,address,port,source,asset,beacon,description,impact,remediation,cwe,cves,references,cvss_vector,evidence,parameter,seen_at',
  'open-redirect,Open redirect after login,medium,https://www.example.com/login?next=/,,,,,,,The parameter next accepts any address.,A link of ours leads to another site.,Accept only paths of the own site.,601,,https://cwe.mitre.org/data/definitions/601.html,CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N,Location: https://example.org/,next,2026-01-31T09:30:00Z',
  'tls-version,TLS 1.0 is accepted,low,,mail.example.com,192.0.2.25,465,,,,"The server accepts TLS 1.0, which is deprecated.",,Accept TLS 1.2 and later.,327,CVE-2011-3389 CVE-2014-3566,,,,,',
  '',
].join('\r\n');
