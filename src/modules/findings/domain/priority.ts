import { SEVERITIES, type Severity } from '../../../kernel/severity';
import type { VerificationResult } from './verification';

export type Priority = 1 | 2 | 3 | 4 | 5;

/** What decides the priority of a finding. */
export interface PriorityFacts {
  readonly severity: Severity;
  /** The tier of its asset. */
  readonly tier: number | null;
  /** A check of this service has seen it. */
  readonly isProved: boolean;
  /** Its CVE is known to be exploited. */
  readonly kev: boolean;
  /** The probability that its CVE is exploited. */
  readonly epss: number | null;
}

/** The facts as a finding stores them. */
export interface StoredFacts extends Pick<PriorityFacts, 'kev' | 'epss'> {
  readonly severity: number;
  readonly assetTier: number | null;
  readonly verification: VerificationResult;
}

export const priorityFactsOf = ({ severity, assetTier, verification, kev, epss }: StoredFacts): PriorityFacts => ({
  severity: SEVERITIES[severity] ?? 'none',
  tier: assetTier,
  isProved: verification === 'confirmed',
  kev,
  epss,
});

export const PRIORITY_FACTORS = ['severity', 'tier', 'kev', 'epss'] as const;
export type PriorityFactor = (typeof PRIORITY_FACTORS)[number];

/** One reason for a priority: the severity, which gives the base, or a fact that makes the finding more urgent by some steps. */
export interface PriorityReason {
  readonly factor: PriorityFactor;
  /** The steps that count, because no priority is more urgent than 1. The base minus all steps is the priority. */
  readonly steps: number;
  readonly text: string;
}

/** What would give the finding another priority. */
export interface PriorityChange {
  readonly factor: PriorityFactor;
  readonly priority: Priority;
  readonly text: string;
}

export interface PriorityExplanation {
  readonly priority: Priority;
  /** The priority by severity alone. */
  readonly base: Priority;
  readonly reasons: readonly PriorityReason[];
  readonly changes: readonly PriorityChange[];
}

const BY_SEVERITY: Readonly<Record<Severity, Priority>> = {
  cosmic: 1,
  critical: 1,
  high: 2,
  medium: 3,
  low: 4,
  info: 5,
  none: 5,
};

/** From this score on, exploitation of a CVE within 30 days is more likely than not. */
export const LIKELY_EPSS = 0.5;

const KEV_STEPS = 2;

const STEP_FACTORS = ['tier', 'kev', 'epss'] as const;
type StepFactor = (typeof STEP_FACTORS)[number];

/**
 * Steps only make a finding more urgent. The EPSS score of a CVE that is known to be exploited does not count. The tier of the
 * asset does not count for a claim, so that it never ranks above a proved finding of the same severity.
 */
function stepsOf({ tier, isProved, kev, epss }: PriorityFacts): Readonly<Record<StepFactor, number>> {
  const isLikely = epss !== null && epss >= LIKELY_EPSS;
  return { tier: tier === 1 && isProved ? 1 : 0, kev: kev ? KEV_STEPS : 0, epss: isLikely && !kev ? 1 : 0 };
}

/**
 * The urgency of a finding; 1 is the most urgent. The severity gives a number, and each of these makes it more urgent: an asset
 * of tier 1 by one step if the finding is proved, a CVE that is known to be exploited by two, and one that is likely to be exploited by one.
 */
export function priorityOf(facts: PriorityFacts): Priority {
  const { tier, kev, epss } = stepsOf(facts);
  return Math.max(1, BY_SEVERITY[facts.severity] - tier - kev - epss) as Priority;
}

/** The severity first. */
export function reasonsOf(facts: PriorityFacts): PriorityReason[] {
  const steps = stepsOf(facts);
  const base = BY_SEVERITY[facts.severity];
  const reasons: PriorityReason[] = [
    { factor: 'severity', steps: 0, text: `The severity ${facts.severity} has the priority ${base}.` },
  ];
  let left = base - 1;
  for (const factor of STEP_FACTORS) {
    if (steps[factor] === 0) continue;
    const counted = Math.min(steps[factor], left);
    left -= counted;
    reasons.push({
      factor,
      steps: counted,
      text: `${STEP_TEXTS[factor](facts)}: ${countText(counted, steps[factor])}`,
    });
  }
  return reasons;
}

export function explainPriority(facts: PriorityFacts): PriorityExplanation {
  const priority = priorityOf(facts);
  const changes = otherFacts(facts)
    .map(({ factor, text, other }) => ({ factor, text, priority: priorityOf({ ...facts, ...other }) }))
    .filter((change) => change.priority !== priority);
  return { priority, base: BY_SEVERITY[facts.severity], reasons: reasonsOf(facts), changes };
}

/** Called only for factors that apply to the finding. */
const STEP_TEXTS: Readonly<Record<StepFactor, (facts: PriorityFacts) => string>> = {
  tier: () => 'The asset was of tier 1 when the finding was recorded',
  kev: () => 'The CVE is known to be exploited (CISA KEV)',
  epss: ({ epss }) => `The EPSS score ${epss} is at least ${LIKELY_EPSS}`,
};

const COUNTS = ['no step', 'one step', 'two steps'];

const countText = (counted: number, all: number): string =>
  counted === all ? `${COUNTS[all]}.` : `${COUNTS[counted]} instead of ${COUNTS[all]}, because 1 is the most urgent.`;

interface OtherFacts {
  readonly factor: PriorityFactor;
  readonly text: string;
  readonly other: Partial<PriorityFacts>;
}

/** Variations of one fact each: the next more or less urgent severity with another priority, or the opposite of another fact. */
function otherFacts({ severity, tier, isProved, kev, epss }: PriorityFacts): OtherFacts[] {
  const nearest = (severities: readonly Severity[]): OtherFacts[] =>
    severities
      .filter((other) => BY_SEVERITY[other] !== BY_SEVERITY[severity])
      .slice(0, 1)
      .map((other) => ({ factor: 'severity', text: `With the severity ${other}.`, other: { severity: other } }));
  const at = SEVERITIES.indexOf(severity);
  return [
    ...nearest(SEVERITIES.slice(at + 1)),
    ...nearest(SEVERITIES.slice(0, at).toReversed()),
    tier === 1 && isProved
      ? { factor: 'tier', text: 'On an asset that is not of tier 1.', other: { tier: null } }
      : { factor: 'tier', text: textOfTier(tier, isProved), other: { tier: 1, isProved: true } },
    kev
      ? { factor: 'kev', text: 'If the CVE leaves the catalog of CISA.', other: { kev: false } }
      : { factor: 'kev', text: 'If the CVE becomes known to be exploited (CISA KEV).', other: { kev: true } },
    epss !== null && epss >= LIKELY_EPSS
      ? { factor: 'epss', text: `If the EPSS score falls below ${LIKELY_EPSS}.`, other: { epss: null } }
      : { factor: 'epss', text: `If the EPSS score reaches ${LIKELY_EPSS}.`, other: { epss: LIKELY_EPSS } },
  ];
}

function textOfTier(tier: number | null, isProved: boolean): string {
  if (isProved) return 'On an asset of tier 1.';
  return tier === 1
    ? 'If a check of this service proves it.'
    : 'On an asset of tier 1, if a check of this service proves it.';
}

export const priorityVocabulary = ([1, 2, 3, 4, 5] as const).map((number) => ({
  number,
  severities: SEVERITIES.filter((severity) => BY_SEVERITY[severity] === number),
}));
