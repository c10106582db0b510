import type { SnapshotFinding } from '../domain/snapshot-finding';
import { cveAddress } from './reference-addresses';
import { cweAddress } from './methodology';
import { capitalize, formatDay, labelOf, withSpaces } from './text-format';

/**
 * A fact about a finding and the formats that show it. To add a field to the reports, add it to `SnapshotFinding` and add a
 * line here. The JSON format is the snapshot itself. VEX has no place for further facts.
 */
export interface FindingFact {
  readonly label: string;
  /** Null if the finding does not have it; then the label or property is omitted. */
  readonly value: (finding: SnapshotFinding) => string | number | null;
  /** The value for readers, if it differs. */
  readonly text?: (finding: SnapshotFinding) => string;
  readonly style?: 'code' | 'date' | 'place';
  /** A web address that explains the value. */
  readonly link?: (value: string) => string | undefined;
  readonly html?: true;
  /** The line of the PDF that holds it. */
  readonly pdfLine?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;
  readonly csvColumn?: string;
  readonly sarifProperty?: string;
}

/** Who accepted the check on which asset, until when and why. */
const acceptedText = ({ accepted_check: accepted }: SnapshotFinding): string | null =>
  accepted &&
  `Until ${formatDay(accepted.until)} by ${accepted.accepted_by} on ${accepted.asset_value}: ${accepted.reason}`;

function epssText({ epss }: SnapshotFinding): string {
  if (epss === null) return '';
  return `${(epss.score * 100).toFixed(1)} % probability of exploitation in the next 30 days (${epss.source}, ${formatDay(epss.date)})`;
}

function kevText({ kev }: SnapshotFinding): string {
  if (kev === null) return '';
  const ransomware = kev.ransomware ? ', also by ransomware' : '';
  const due = kev.due_date === null ? '' : `, to be fixed by ${formatDay(kev.due_date)}`;
  return `since ${formatDay(kev.date_added)}${ransomware}${due} (${kev.source}, released ${formatDay(kev.released)})`;
}

/** In the order in which reports show them. */
export const FINDING_FACTS: readonly FindingFact[] = [
  { label: 'Number', value: ({ id }) => id, csvColumn: 'id', sarifProperty: 'finding_id' },
  { label: 'Title', value: ({ title }) => title, csvColumn: 'title' },
  { label: 'Severity', value: ({ severity }) => severity, csvColumn: 'severity', sarifProperty: 'severity' },
  { label: 'Asset number', value: ({ asset_id }) => asset_id, csvColumn: 'asset_id' },
  {
    label: 'Asset',
    value: ({ asset_value }) => asset_value,
    style: 'place',
    html: true,
    pdfLine: 1,
    csvColumn: 'asset_value',
    sarifProperty: 'asset',
  },
  {
    label: 'Beacon',
    value: ({ beacon }) => beacon?.name ?? null,
    html: true,
    pdfLine: 1,
    csvColumn: 'beacon',
    sarifProperty: 'beacon',
  },
  {
    label: 'Scope',
    value: ({ in_scope }) => (in_scope === null ? null : in_scope ? 'inside' : 'outside'),
    csvColumn: 'scope',
    sarifProperty: 'scope',
  },
  {
    label: 'Location',
    value: ({ location }) => location,
    style: 'place',
    html: true,
    pdfLine: 5,
    csvColumn: 'location',
  },
  { label: 'Status number', value: ({ status }) => status, csvColumn: 'status', sarifProperty: 'status' },
  {
    label: 'Status',
    value: ({ status_name }) => status_name,
    text: ({ status_name }) => capitalize(withSpaces(status_name)),
    pdfLine: 2,
    csvColumn: 'status_name',
    sarifProperty: 'status_name',
  },
  {
    label: 'Score',
    value: ({ score }) => score,
    text: ({ score }) => score?.toFixed(1) ?? '',
    html: true,
    csvColumn: 'score',
    sarifProperty: 'score',
  },
  {
    label: 'Priority',
    value: ({ priority }) => priority,
    text: ({ priority }) => `${priority} of 5`,
    html: true,
    pdfLine: 2,
    csvColumn: 'priority',
    sarifProperty: 'priority',
  },
  {
    label: 'CVSS',
    value: ({ cvss_vector }) => cvss_vector,
    style: 'code',
    html: true,
    pdfLine: 6,
    csvColumn: 'cvss_vector',
    sarifProperty: 'cvss_vector',
  },
  {
    label: 'CVE',
    value: ({ cve }) => cve,
    link: cveAddress,
    html: true,
    pdfLine: 2,
    csvColumn: 'cve',
    sarifProperty: 'cve',
  },
  {
    label: 'CWE',
    value: ({ cwe }) => cwe,
    text: ({ cwe, cwe_name }) => (cwe_name === null ? `CWE-${cwe}` : `CWE-${cwe}: ${cwe_name}`),
    link: (cwe) => cweAddress(Number(cwe)),
    html: true,
    pdfLine: 7,
    csvColumn: 'cwe',
    sarifProperty: 'cwe',
  },
  {
    label: 'OWASP Top 10',
    value: ({ owasp }) => (owasp.length === 0 ? null : owasp.map(({ id, name }) => `${id} ${name}`).join('; ')),
    html: true,
    pdfLine: 8,
    csvColumn: 'owasp',
    sarifProperty: 'owasp',
  },
  { label: 'Check', value: ({ check }) => check, style: 'code', html: true, pdfLine: 4, csvColumn: 'check' },
  {
    label: 'First seen',
    value: ({ created }) => created,
    text: ({ created }) => formatDay(created),
    style: 'date',
    html: true,
    pdfLine: 3,
    csvColumn: 'created',
  },
  {
    label: 'Last seen',
    value: ({ last_seen }) => last_seen,
    text: ({ last_seen, times_seen }) => `${formatDay(last_seen)}${times_seen > 1 ? `, ${times_seen} times` : ''}`,
    style: 'date',
    html: true,
    pdfLine: 3,
    csvColumn: 'last_seen',
  },
  { label: 'Times seen', value: ({ times_seen }) => times_seen, csvColumn: 'times_seen' },
  {
    label: 'Resolved',
    value: ({ resolved }) => resolved,
    text: ({ resolved }) => (resolved === null ? '' : formatDay(resolved)),
    style: 'date',
    html: true,
    pdfLine: 3,
    csvColumn: 'resolved',
    sarifProperty: 'resolved',
  },
  {
    label: 'Tested',
    value: ({ verification }) => verification?.result ?? null,
    html: true,
    csvColumn: 'verification',
    sarifProperty: 'verification',
  },
  {
    label: 'Assigned to',
    value: ({ assignee }) => assignee,
    html: true,
    pdfLine: 2,
    csvColumn: 'assignee',
    sarifProperty: 'assignee',
  },
  {
    label: 'Due',
    value: ({ due_date }) => due_date,
    text: ({ due_date }) => (due_date === null ? '' : formatDay(due_date)),
    style: 'date',
    html: true,
    pdfLine: 3,
    csvColumn: 'due_date',
    sarifProperty: 'due_date',
  },
  {
    label: 'Labels',
    value: ({ labels }) => (labels.length === 0 ? null : labels.join(', ')),
    html: true,
    pdfLine: 2,
    csvColumn: 'labels',
    sarifProperty: 'labels',
  },
  {
    label: 'Accepted',
    value: acceptedText,
    html: true,
    pdfLine: 9,
    csvColumn: 'accepted',
    sarifProperty: 'accepted',
  },
  {
    label: 'EPSS',
    value: ({ epss }) => epss?.score ?? null,
    text: epssText,
    html: true,
    pdfLine: 10,
    csvColumn: 'epss',
    sarifProperty: 'epss',
  },
  {
    label: 'EPSS percentile',
    value: ({ epss }) => epss?.percentile ?? null,
    csvColumn: 'epss_percentile',
    sarifProperty: 'epss_percentile',
  },
  {
    label: 'EPSS date',
    value: ({ epss }) => epss?.date ?? null,
    csvColumn: 'epss_date',
    sarifProperty: 'epss_date',
  },
  {
    label: 'EPSS source',
    value: ({ epss }) => epss?.source ?? null,
    csvColumn: 'epss_source',
    sarifProperty: 'epss_source',
  },
  {
    label: 'Known exploited',
    value: ({ kev }) => kev?.date_added ?? null,
    text: kevText,
    html: true,
    pdfLine: 11,
    csvColumn: 'kev_date_added',
    sarifProperty: 'kev_date_added',
  },
  {
    label: 'KEV due date',
    value: ({ kev }) => kev?.due_date ?? null,
    csvColumn: 'kev_due_date',
    sarifProperty: 'kev_due_date',
  },
  {
    label: 'KEV ransomware',
    value: ({ kev }) => kev && (kev.ransomware ? 'yes' : 'no'),
    csvColumn: 'kev_ransomware',
    sarifProperty: 'kev_ransomware',
  },
  {
    label: 'KEV source',
    value: ({ kev }) => kev?.source ?? null,
    csvColumn: 'kev_source',
    sarifProperty: 'kev_source',
  },
  {
    label: 'KEV released',
    value: ({ kev }) => kev?.released ?? null,
    csvColumn: 'kev_released',
    sarifProperty: 'kev_released',
  },
  {
    label: 'References',
    value: ({ references }) => (references.length === 0 ? null : references.join(' ')),
    html: true,
    pdfLine: 12,
    csvColumn: 'references',
    sarifProperty: 'references',
  },
  { label: 'Fingerprint', value: ({ fingerprint }) => fingerprint, csvColumn: 'fingerprint' },
  { label: 'Description', value: ({ md }) => md, csvColumn: 'md' },
  { label: 'Retest status', value: ({ retests }) => retests.at(-1)?.status ?? null, csvColumn: 'retest_status' },
  { label: 'Retest result', value: ({ retests }) => retests.at(-1)?.result ?? null, csvColumn: 'retest_result' },
  { label: 'Retest finished', value: ({ retests }) => retests.at(-1)?.finished ?? null, csvColumn: 'retest_finished' },
  {
    label: 'Package URL',
    value: ({ product }) => product?.purl ?? null,
    csvColumn: 'asset_purl',
    sarifProperty: 'asset_purl',
  },
  { label: 'CPE', value: ({ product }) => product?.cpe ?? null, csvColumn: 'asset_cpe', sarifProperty: 'asset_cpe' },
  {
    label: 'Result of the job',
    value: ({ job }) => job?.outcome ?? null,
    text: ({ job }) => labelOf(job?.outcome ?? ''),
    html: true,
    pdfLine: 2,
    csvColumn: 'job_outcome',
    sarifProperty: 'job_outcome',
  },
  {
    label: 'Fails the pipeline',
    value: ({ job }) => (job ? (job.fails_gate ? 'yes' : 'no') : null),
    html: true,
    pdfLine: 2,
    csvColumn: 'job_fails_gate',
    sarifProperty: 'job_fails_gate',
  },
];

export const factText = ({ text, value }: FindingFact, finding: SnapshotFinding): string =>
  text?.(finding) ?? String(value(finding) ?? '');
