import MarkdownIt from 'markdown-it';
import { SEVERITIES, type Severity } from '../../../../kernel/severity';
import { isFixProved } from '../../domain/proved-fix';
import { defaultReportOptions } from '../../domain/report-options';
import type { ReportSnapshot, SnapshotEvent, SnapshotScopeAsset } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { byUrgency } from '../../domain/snapshot-totals';
import { summaryOf } from '../../domain/snapshot-summary';
import type { SnapshotTransition, SnapshotProbe, SnapshotRetest } from '../../domain/snapshot-parts';

const STATUSES = [
  'open',
  'accepted',
  'in_progress',
  'ready_for_retest',
  'resolved',
  'risk_accepted',
  'false_positive',
  'duplicate',
  'informative',
  'out_of_scope',
];

export const statusName = (status: number): string => STATUSES[status - 1] ?? 'unknown';

const markdown = new MarkdownIt({ html: false }).disable(['image', 'reference']);
const HOUR_MS = 3_600_000;

/** The origin of all times in a snapshot: a constant, so that snapshots are reproducible. */
export const BEGINNING = Date.parse('2026-11-02T08:00:00Z');
export const after = (hours: number): string => new Date(BEGINNING + hours * HOUR_MS).toISOString();

export type FindingParts = Partial<SnapshotFinding> & { readonly title: string };

export function finding(id: number, parts: FindingParts): SnapshotFinding {
  const status = parts.status ?? 1;
  const md = parts.md ?? null;
  const found = (id * 37) % 300;
  return {
    id,
    md,
    html: md === null ? null : markdown.render(md),
    asset_id: 1,
    asset_value: 'shop.nordwind.example',
    beacon: null,
    in_scope: true,
    severity: 'medium',
    priority: 3,
    status,
    status_name: statusName(status),
    score: null,
    cvss_vector: null,
    cve: null,
    cwe: null,
    references: [],
    epss: null,
    kev: null,
    cwe_name: null,
    owasp: [],
    check: null,
    location: null,
    fingerprint: id.toString(16).padStart(64, '0'),
    times_seen: 1,
    created: after(found),
    last_seen: after(found + 20),
    assignee: null,
    due_date: null,
    labels: [],
    resolved: status === 5 ? after(found + 30 + (id % 7) * 16) : null,
    history: [move(found, null, 'open')],
    retests: [],
    accepted_check: null,
    ...parts,
  };
}

export const move = (
  hours: number,
  from: string | null,
  to: string,
  actor = 'Mara Lindqvist',
  comment: string | null = null,
): SnapshotTransition => ({
  at: after(hours),
  from,
  to,
  actor,
  actor_type: actor === 'Assay' ? 'system' : 'user',
  comment,
});

export const retest = (hours: number, parts: Partial<SnapshotRetest> = {}): SnapshotRetest => ({
  uuid: `019a4000-0000-7000-8000-${hours.toString(16).padStart(12, '0')}`,
  status: 'finished',
  result: 'fixed',
  reason: null,
  created: after(hours),
  finished: after(hours + 0.02),
  check: 'exposed-git',
  judged_by: null,
  requests: 29,
  signed_by: '3f1c9a52d07be684',
  probes: [],
  ...parts,
});

export const probe = (
  hours: number,
  state: SnapshotProbe['state'],
  detail: string,
  exchanges: readonly (readonly [request: string, response: string])[] = [],
): SnapshotProbe => ({
  at: after(hours),
  state,
  detail,
  exchanges: exchanges.map(([request, response]) => ({ request, response, address: '203.0.113.20' })),
});

export const scopeAsset = (id: number, value: string, parts: Partial<SnapshotScopeAsset> = {}): SnapshotScopeAsset => ({
  id,
  value,
  type: 'domain',
  tier: 2,
  description: null,
  findings: 0,
  last_tested: null,
  checks_completed: 0,
  not_tested: [],
  ...parts,
});

export const demoEvent: SnapshotEvent = {
  id: 11,
  name: 'Winter pentest',
  slug: 'winter-pentest-k3x9qa',
  type: 'human',
  category: 'pentest',
  dimension: 'virtual',
  status: 'running',
  start_date: after(0),
  end_date: after(28 * 24),
};

export type SnapshotParts = Partial<Omit<ReportSnapshot, 'totals' | 'summary' | 'counted'>>;

/** A snapshot of these findings, with totals and charts that agree with them. */
export function snapshotOf({ left_out = [], ...parts }: SnapshotParts = {}): ReportSnapshot {
  const findings = parts.findings ?? [];
  const resolved = findings.filter((one) => one.status === 5);
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  return {
    report_id: 42,
    taken: '2026-11-21T16:45:00.000Z',
    start_date: after(0),
    end_date: after(18 * 24),
    options: defaultReportOptions,
    organization: { id: 7, name: 'Nordwind Handels AG' },
    assay_version: '0.1.0',
    logo: null,
    subject: 'event',
    job: null,
    events: [],
    event: demoEvent,
    totals: {
      findings: findings.length,
      left_out: left_out.length,
      open: findings.filter((one) => one.status <= 4).length,
      resolved: resolved.length,
      retests: findings.reduce((sum, one) => sum + one.retests.length, 0),
      by_severity: Object.fromEntries(SEVERITIES.map((name) => [name, count(name)])) as Record<Severity, number>,
      by_status: STATUSES.map((name, index) => ({
        status: index + 1,
        name,
        count: findings.filter((one) => one.status === index + 1).length,
      })),
    },
    summary: summaryOf(
      findings.toSorted(byUrgency).map((one) => ({
        ...one,
        belief: one.belief?.value ?? 'claimed',
        verification: one.verification?.result ?? 'untested',
      })),
      new Set(resolved.filter(isFixProved).map(({ id }) => id)),
    ),
    counted: findings.map(({ id, status, severity }) => [id, status, SEVERITIES.indexOf(severity)]),
    timeline: timelineOf(findings),
    time_to_fix: timeToFixOf(resolved),
    scope: { in_scope: [], out_of_scope: [] },
    changes: null,
    check_descriptions: [],
    checks: [],
    findings,
    left_out,
    assessment: null,
    comparison: null,
    vocabulary: {
      severities: [
        { name: 'none', from: '0.0' },
        { name: 'info', from: null },
        { name: 'low', from: '0.1' },
        { name: 'medium', from: '4.0' },
        { name: 'high', from: '7.0' },
        { name: 'critical', from: '9.0' },
        { name: 'cosmic', from: '10.0' },
      ],
      statuses: STATUSES.map((name, index) => ({ number: index + 1, name })),
      retest_results: ['fixed', 'still_vulnerable', 'inconclusive'],
    },
    ...parts,
  };
}

function timelineOf(findings: readonly SnapshotFinding[]): ReportSnapshot['timeline'] {
  const day = 24 * HOUR_MS;
  const on = (time: string | null, from: number): boolean =>
    time !== null && Date.parse(time) >= from && Date.parse(time) < from + day;
  return Array.from({ length: 19 }, (_, index) => {
    const from = BEGINNING + index * day;
    return {
      from: new Date(from).toISOString(),
      found: findings.filter((one) => on(one.created, from)).length,
      resolved: findings.filter((one) => on(one.resolved, from)).length,
    };
  });
}

function timeToFixOf(resolved: readonly SnapshotFinding[]): ReportSnapshot['time_to_fix'] {
  return SEVERITIES.toReversed().flatMap((severity) => {
    const hours = resolved
      .filter((one) => one.severity === severity)
      .map((one) => (Date.parse(one.resolved ?? one.created) - Date.parse(one.created)) / HOUR_MS)
      .sort((a, b) => a - b);
    const longest_hours = hours.at(-1);
    if (longest_hours === undefined) return [];
    return [{ severity, count: hours.length, median_hours: hours[Math.floor(hours.length / 2)] ?? 0, longest_hours }];
  });
}
