import type { Severity } from '../kernel/severity';

/** The fields of a finding, and for each the name of the column in the header that has it. Case does not matter. */
export interface CsvColumns {
  readonly title: string;
  readonly severity: string;
  readonly rule_id?: string;
  readonly url?: string;
  readonly host?: string;
  readonly port?: string;
  readonly source?: string;
  readonly description?: string;
  readonly remediation?: string;
  readonly cwe?: string;
  readonly cves?: string;
  readonly references?: string;
  readonly cvss_vector?: string;
  readonly evidence?: string;
  readonly parameter?: string;
  readonly seen_at?: string;
}

export interface CsvMapping {
  readonly columns: CsvColumns;
  /** The name of the tool that wrote the table. Default: `csv`. */
  readonly scanner?: string;
  /** What the file writes for a severity, if it does not use our names. Case does not matter. */
  readonly severities?: Readonly<Record<string, Severity>>;
}

/** The mapping of the template, which applies if a CSV file is imported without a mapping: every column is named like its field. */
export const csvTemplateMapping: CsvMapping = {
  columns: {
    rule_id: 'rule_id',
    title: 'title',
    severity: 'severity',
    url: 'url',
    host: 'host',
    port: 'port',
    source: 'source',
    description: 'description',
    remediation: 'remediation',
    cwe: 'cwe',
    cves: 'cves',
    references: 'references',
    cvss_vector: 'cvss_vector',
    evidence: 'evidence',
    parameter: 'parameter',
    seen_at: 'seen_at',
  },
};

/** A file to fill in: the header and two examples. */
export const CSV_TEMPLATE = [
  'rule_id,title,severity,url,host,port,source,description,remediation,cwe,cves,references,cvss_vector,evidence,parameter,seen_at',
  'open-redirect,Open redirect after login,medium,https://www.example.com/login?next=/,,,,The parameter next accepts any address.,Accept only paths of the own site.,601,,https://cwe.mitre.org/data/definitions/601.html,CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N,Location: https://example.org/,next,2026-01-31T09:30:00Z',
  'tls-version,TLS 1.0 is accepted,low,,mail.example.com,465,,"The server accepts TLS 1.0, which is deprecated.",Accept TLS 1.2 and later.,327,CVE-2011-3389 CVE-2014-3566,,,,,',
  '',
].join('\r\n');
