const beliefs: Readonly<Record<string, string>> = { confirmed: 'proved', refuted: 'refuted' };
const severities = ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'];

/** Of `findings f`. */
export const columns = `f.id, f.title, f.md, f.html, f.asset_id, f.asset_value, f.status, f.previous_status, f.requested_score,
  f.event_id, f.severity, f.priority, f.score, f.cve, f.other_cves, f.cwe, f.cvss_vector, f.reference_urls,
  f.assignee_id, f.due_date::text AS due_date, f.labels, f.verification, f.verification_reason, f.verified_at,
  f.believed_since, f.allow_unsafe, f.merged_into, f.edits, f.created`;

export interface Row {
  [column: string]: unknown;
  id: number;
  severity: number;
  requested_score: string | null;
  score: string | null;
  verification: string;
  verification_reason: string | null;
  verified_at: Date | null;
  believed_since: Date | null;
  created: Date;
}

const numberOf = (numeric: string | null): number | null => (numeric === null ? null : Number(numeric));

/** A finding without a CVE and without edits, so that nothing is looked up. The properties have the order of the service. */
export const present = (row: Row): object => ({
  id: row.id,
  title: row['title'],
  md: row['md'],
  html: row['html'],
  asset_id: row['asset_id'],
  asset_value: row['asset_value'],
  status: row['status'],
  previous_status: row['previous_status'],
  requested_score: numberOf(row.requested_score),
  event_id: row['event_id'],
  severity: severities[row.severity],
  priority: row['priority'],
  score: numberOf(row.score),
  cve: row['cve'],
  other_cves: row['other_cves'],
  cwe: row['cwe'],
  cvss_vector: row['cvss_vector'],
  references: row['reference_urls'],
  epss: null,
  kev: null,
  accepted_check: null,
  assignee_id: row['assignee_id'],
  due_date: row['due_date'],
  labels: row['labels'],
  belief: {
    value: beliefs[row.verification] ?? (row.verification_reason === null ? 'untestable' : 'claimed'),
    since: (row.believed_since ?? (row.verification in beliefs ? row.verified_at : null) ?? row.created).toISOString(),
  },
  verification: {
    result: row.verification,
    reason: row.verification_reason ?? 'No check is bound to the finding.',
    tested_at: row.verified_at?.toISOString() ?? null,
  },
  allow_unsafe: row['allow_unsafe'],
  merged_into: row['merged_into'],
  edited: row['edits'],
  created: row.created.toISOString(),
});
