import { type Severity, severityNumber } from '../../../kernel/severity';
import { type FindingStatus, isOpen } from './finding-status';
import { RISK_WEIGHTS, riskScore } from './risk-score';
import type { VerificationResult } from './verification';

/** The fields that decide how a finding counts in the totals of its asset. */
export interface CountedFinding {
  readonly status: FindingStatus;
  readonly severity: number;
  readonly verification: VerificationResult;
}

type CountedSeverity = Exclude<Severity, 'none' | 'info'>;

/**
 * The number of findings, the number of open ones in each severity that counts for the risk score, and the sums of the weights of
 * proved and refuted ones.
 */
export type Totals = Readonly<Record<'findings' | CountedSeverity | 'proved' | 'refuted', number>>;

const openIn = (severity: Severity, finding: CountedFinding | null): number =>
  finding !== null && isOpen(finding.status) && finding.severity === severityNumber(severity) ? 1 : 0;

const weightIf = (verification: VerificationResult, finding: CountedFinding | null): number =>
  finding !== null && isOpen(finding.status) && finding.verification === verification
    ? (RISK_WEIGHTS[finding.severity] ?? 0)
    : 0;

/** The change of the totals when a finding changes. `before` is null if the finding was not on the asset. */
export function changeOfTotals(before: CountedFinding | null, after: CountedFinding): Totals {
  const change = (severity: Severity): number => openIn(severity, after) - openIn(severity, before);
  const weighed = (verification: VerificationResult): number =>
    weightIf(verification, after) - weightIf(verification, before);
  return {
    findings: before === null ? 1 : 0,
    low: change('low'),
    medium: change('medium'),
    high: change('high'),
    critical: change('critical'),
    cosmic: change('cosmic'),
    proved: weighed('confirmed'),
    refuted: weighed('refuted'),
  };
}

export const isNoChange = (change: Totals): boolean => Object.values(change).every((count) => count === 0);

export type OpenFindings = Readonly<Record<CountedSeverity, number>>;

export interface AssetTotals {
  readonly findings: number;
  /** The number of open findings in each severity, without those that do not count for the risk score. */
  readonly open: OpenFindings;
  readonly riskScore: string;
}

/** Of an asset without findings. */
export const NO_FINDINGS: AssetTotals = {
  findings: 0,
  open: { cosmic: 0, critical: 0, high: 0, medium: 0, low: 0 },
  riskScore: riskScore({}),
};

type ShownTotals = Omit<Totals, 'proved' | 'refuted'>;

/** As stored; null for an asset that never had a finding. */
export type StoredTotals = ShownTotals | Readonly<Record<keyof ShownTotals, null>>;

export function totalsFrom(stored: StoredTotals): AssetTotals {
  if (stored.findings === null) return NO_FINDINGS;
  const { findings, cosmic, critical, high, medium, low } = stored;
  return { findings, open: { cosmic, critical, high, medium, low }, riskScore: riskScore(stored) };
}
