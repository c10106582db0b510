import { capitalized } from '../../../kernel/capitalized';
import { annexNotice } from '../domain/report-annex';
import type { ReportSnapshot } from '../domain/report-snapshot';
import type { SnapshotFinding } from '../domain/snapshot-finding';
import { placeText } from './finding-location';
import { limitationsOf, resultSentence, testCoverageOf } from './sentences';
import { formatDay, formatDuration, grouped, joinWithAnd, pluralize, statusLabel, truncated } from './text-format';

/** A number of the summary. */
export interface Figure {
  readonly value: number;
  readonly label: string;
}

/** The most urgent open finding of a rule, and why it is believed. */
export interface UrgentFinding {
  readonly id: number;
  readonly severity: SnapshotFinding['severity'];
  readonly title: string;
  readonly asset: string;
  /** How many others are equal. */
  readonly more: string;
  readonly belief: string;
  readonly label: string;
  readonly why: string;
}

/** The summary for a board. PDF and HTML show the same, on two pages at any number of findings. */
export interface Board {
  readonly lead: string;
  readonly rating: string | null;
  readonly figures: readonly Figure[];
  readonly severities: readonly {
    readonly severity: SnapshotFinding['severity'];
    /** The headings of the columns. */
    readonly cells: readonly string[];
  }[];
  readonly statuses: string;
  readonly groups: ReportSnapshot['summary']['groups'];
  /** About open findings that are in no row of the groups. */
  readonly others: string | null;
  readonly urgent: readonly UrgentFinding[];
  /** What was not tested, and what the report leaves out. */
  readonly untested: readonly string[];
  /** If the annex has fewer findings than the summary counts. */
  readonly annex: string | null;
}

/** Longer texts could fill more than two pages. */
const MAX_TITLE = 100;
const MAX_PLACE = 60;
const MAX_WHY = 80;
const MAX_NAMED = 4;

export const SEVERITY_COLUMNS = [
  'Severity',
  'Open',
  'Proved',
  'Not proved',
  'Refuted',
  'Fixed',
  'Fix proved',
  'Median to fix',
] as const;
export const GROUP_COLUMNS = ['Severity', 'Rule', 'Findings', 'Assets', 'Proved'] as const;

export function boardOf(snapshot: ReportSnapshot): Board {
  const { summary, totals, assessment, time_to_fix } = snapshot;
  const inGroups = summary.groups.reduce((sum, { findings }) => sum + findings, 0);
  const [left, rules] = [totals.open - inGroups, summary.rules - summary.groups.length];
  return {
    lead: resultSentence(snapshot),
    rating:
      assessment?.rating == null
        ? null
        : `Overall rating by ${assessment.author}: ${truncated(assessment.rating, MAX_TITLE)}`,
    figures: figuresOf(snapshot),
    severities: summary.severities.map((row) => {
      const fix = time_to_fix.find(({ severity }) => severity === row.severity);
      const { open, proved, claimed, untestable, refuted, resolved, fixes_proved } = row;
      const cells = [open, proved, claimed + untestable, refuted, resolved, fixes_proved].map(grouped);
      return { severity: row.severity, cells: [...cells, fix ? formatDuration(fix.median_hours) : '–'] };
    }),
    statuses: joinWithAnd(
      totals.by_status
        .filter(({ count }) => count > 0)
        .map(({ name, count }) => `${grouped(count)} ${statusLabel(name).toLowerCase()}`),
    ),
    groups: summary.groups.map((group) => ({ ...group, title: truncated(group.title, MAX_TITLE) })),
    others:
      summary.groups.length === 0 || left === 0
        ? null
        : `${pluralize(left, 'more open finding')} of ${pluralize(rules, 'other rule')}.`,
    urgent: mostUrgentOf(snapshot),
    untested: [...limitationsOf(snapshot), ...untestedOf(snapshot)],
    annex: annexNotice(snapshot),
  };
}

/** How much was tested, for a report without findings. */
function figuresOf({ totals, scope, subject, summary, timeline }: ReportSnapshot): readonly Figure[] {
  if (totals.findings === 0) {
    const { tested, completed } = testCoverageOf(scope.in_scope);
    return [
      { value: 0, label: 'findings' },
      {
        value: scope.in_scope.length,
        label: subject === 'event' ? 'in scope' : scope.in_scope.length === 1 ? 'asset' : 'assets',
      },
      { value: tested, label: 'tested by the service' },
      { value: completed, label: 'checks completed' },
    ];
  }
  const proved = summary.severities.reduce((sum, { fixes_proved }) => sum + fixes_proved, 0);
  return [
    { value: timeline.reduce((sum, { found }) => sum + found, 0), label: 'opened in the period' },
    { value: totals.open, label: 'open now' },
    { value: totals.resolved, label: 'fixed' },
    { value: proved, label: proved === 1 ? 'fix proved by a retest' : 'fixes proved by a retest' },
  ];
}

/** Equal findings are one of them, with their number. Reports of earlier versions do not say what is believed. */
function mostUrgentOf({ findings, summary }: ReportSnapshot): UrgentFinding[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return summary.most_urgent.flatMap(({ id, others_of_rule: others }) => {
    const finding = byId.get(id);
    if (finding === undefined) return [];
    const belief = finding.belief?.value ?? 'claimed';
    return {
      id,
      severity: finding.severity,
      title: truncated(finding.title, MAX_TITLE),
      asset: truncated(placeText(finding.asset_value, finding.beacon), MAX_PLACE),
      more: others === 0 ? '' : `and ${grouped(others)} more of this rule`,
      belief,
      label: capitalized(belief),
      why: truncated(reasonOf(finding), MAX_WHY),
    };
  });
}

function reasonOf({ belief, verification, check }: SnapshotFinding): string {
  const reason = verification?.reason ?? '';
  return belief?.value === 'proved' ? `by ${check ?? 'a check'} on ${formatDay(belief.since)}` : reason;
}

function untestedOf({ scope, summary }: ReportSnapshot): readonly string[] {
  const assets = scope.in_scope.filter(({ last_tested }) => last_tested === null);
  const named = assets.slice(0, MAX_NAMED).map(({ value, beacon }) => truncated(placeText(value, beacon), MAX_PLACE));
  const rest = assets.length - named.length;
  const { untested, without_check: without } = summary;
  return [
    ...(named.length === 0
      ? []
      : [`Not tested: ${joinWithAnd([...named, ...(rest > 0 ? [`${grouped(rest)} more`] : [])])}.`]),
    ...(untested === 0
      ? []
      : [
          `No test of this service has examined ${pluralize(untested, 'open finding')}${without === 0 ? '' : `; no check exists for ${without === untested ? 'any' : grouped(without)} of them`}.`,
        ]),
  ];
}
