import { groupBy } from '../../../kernel/group-by';
import { normalizeName } from '../../../kernel/normalize-name';
import { SEVERITIES, type Severity, severityNumber } from '../../../kernel/severity';
import { type Belief, beliefOf } from '../../findings/domain/belief';
import { factsOfCheck } from '../../findings/domain/check-facts';
import { FINDING_STATUS, type FindingStatus, isOpen } from '../../findings/domain/finding-status';
import type { VerificationResult } from '../../findings/domain/verification';
import type { FindingOutline } from '../../findings';
import { MAX_MOST_URGENT } from './report-annex';

/** A finding as far as the summary counts it. */
export interface CountedFinding {
  readonly id: number;
  readonly title: string;
  readonly asset_value: string;
  readonly severity: Severity;
  readonly status: number;
  readonly check: string | null;
  readonly belief: Belief;
  readonly verification: VerificationResult;
  readonly created: string;
  readonly resolved: string | null;
}

/** Open findings of one rule: of one check, or without a check of one title. */
export interface SnapshotGroup {
  readonly title: string;
  readonly check: string | null;
  /** The worst of them. */
  readonly severity: Severity;
  readonly findings: number;
  readonly assets: number;
  readonly proved: number;
}

/** All findings of the report in numbers, also those that the annex does not have. */
export interface SnapshotSummary {
  /** The worst first; only severities that have any. */
  readonly severities: readonly ({
    readonly severity: Severity;
    readonly open: number;
    readonly resolved: number;
    /** Resolved findings whose last retest proves the fix. */
    readonly fixes_proved: number;
  } & Readonly<Record<Belief, number>>)[];
  /** Rules with several open findings, the worst first; at most 8. */
  readonly groups: readonly SnapshotGroup[];
  /** The most urgent open finding of each rule, the most urgent first; at most 10. */
  readonly most_urgent: readonly { readonly id: number; readonly others_of_rule: number }[];
  /** Of all open findings. */
  readonly rules: number;
  /** Open findings that no check of this service has tested, and those among them that have no check. */
  readonly untested: number;
  readonly without_check: number;
  /** Of all findings. */
  readonly with_check: number;
}

const MAX_GROUPS = 8;

export const countedOf = (outline: FindingOutline): CountedFinding => ({
  id: outline.id,
  title: outline.title,
  asset_value: outline.assetValue,
  severity: SEVERITIES[outline.severity],
  status: outline.status,
  check: outline.checkId,
  belief: beliefOf(outline),
  verification: outline.verification,
  created: outline.created.toISOString(),
  resolved: outline.resolved?.toISOString() ?? null,
});

const isStillOpen = ({ status }: CountedFinding): boolean => isOpen(status as FindingStatus);

/** The findings come most urgent first. `proved` has the ids of resolved findings whose fix is proved. */
export function summaryOf(all: readonly CountedFinding[], proved: ReadonlySet<number>): SnapshotSummary {
  const open = all.filter(isStillOpen);
  const untested = open.filter(({ verification }) => verification === 'untested');
  const byRule = groupBy(open, ({ check, title }) => check ?? `\n${normalizeName(title)}`);
  const bySeverity = groupBy(all, ({ severity }) => severity);
  return {
    severities: SEVERITIES.toReversed().flatMap((severity) => {
      const of = bySeverity.get(severity);
      return of === undefined ? [] : [{ severity, ...countsOf(of, proved) }];
    }),
    groups: [...byRule.values()]
      .filter(({ length }) => length > 1)
      .map(groupOf)
      .toSorted((one, other) => rankOf(other) - rankOf(one) || other.findings - one.findings)
      .slice(0, MAX_GROUPS),
    most_urgent: [...byRule.values()]
      .slice(0, MAX_MOST_URGENT)
      .map(([first, ...others]) => ({ id: first?.id ?? 0, others_of_rule: others.length })),
    rules: byRule.size,
    untested: untested.length,
    without_check: untested.filter(({ belief }) => belief === 'untestable').length,
    with_check: all.filter(({ check }) => check !== null).length,
  };
}

const rankOf = ({ severity }: SnapshotGroup): number => severityNumber(severity);

function countsOf(of: readonly CountedFinding[], provedFixes: ReadonlySet<number>) {
  const open = of.filter(isStillOpen);
  const resolved = of.filter(({ status }) => status === FINDING_STATUS.resolved);
  const count = (wanted: Belief): number => open.filter(({ belief }) => belief === wanted).length;
  return {
    open: open.length,
    proved: count('proved'),
    claimed: count('claimed'),
    untestable: count('untestable'),
    refuted: count('refuted'),
    resolved: resolved.length,
    fixes_proved: resolved.filter(({ id }) => provedFixes.has(id)).length,
  };
}

/** Titles of one check may name a place each, and then the check has the title of all of them. */
function groupOf(of: readonly CountedFinding[]): SnapshotGroup {
  const { title = '', check = null } = of[0] ?? {};
  const isSame = of.every((one) => one.title === title);
  return {
    title: (isSame ? null : factsOfCheck(check ?? '')?.title) ?? title,
    check,
    severity: SEVERITIES.findLast((severity) => of.some((one) => one.severity === severity)) ?? 'none',
    findings: of.length,
    assets: new Set(of.map(({ asset_value }) => asset_value)).size,
    proved: of.filter(({ belief }) => belief === 'proved').length,
  };
}
