import type { VerificationResult } from './verification';

/** How certain this service is of a weakness. Only tests decide it; no person sets it. */
export const BELIEFS = ['proved', 'claimed', 'untestable', 'refuted'] as const;

export type Belief = (typeof BELIEFS)[number];

export interface BeliefFacts {
  readonly verification: VerificationResult;
  /** Null if no check is bound to the finding. */
  readonly verificationReason: string | null;
}

/** With the times from which `believedSince` is computed. */
export interface Believed extends BeliefFacts {
  readonly believedSince: Date | null;
  readonly verifiedAt: Date | null;
  readonly created: Date;
}

export function beliefOf({ verification, verificationReason }: BeliefFacts): Belief {
  if (verification === 'confirmed') return 'proved';
  if (verification === 'refuted') return 'refuted';
  return verificationReason === null ? 'untestable' : 'claimed';
}

/** Findings from before an upgrade only have the time of the last test. */
export function believedSince({
  believedSince: since,
  verification,
  verifiedAt,
  created,
}: Omit<Believed, 'verificationReason'>): Date {
  const tested = verification === 'confirmed' || verification === 'refuted' ? verifiedAt : null;
  return since ?? tested ?? created;
}

/** The order within a priority: proved, claimed with support, other claims, refuted. */
export function beliefRankOf({
  verification,
  isSupported,
}: Pick<BeliefFacts, 'verification'> & { readonly isSupported: boolean }): number {
  if (verification === 'confirmed') return 3;
  if (verification === 'refuted') return 0;
  return isSupported ? 2 : 1;
}

/** The same in SQL, exactly as the index for this order has it. A spec compares both. */
export const beliefRankIn = (row: string): string =>
  `(CASE ${row}.verification WHEN 'confirmed' THEN 3 WHEN 'refuted' THEN 0 ELSE CASE WHEN ${row}.is_supported THEN 2 ELSE 1 END END)`;

const UNDECIDED = `verification IN ('untested', 'inconclusive')`;
const CONDITIONS: Readonly<Record<Belief, string>> = {
  proved: `verification = 'confirmed'`,
  refuted: `verification = 'refuted'`,
  claimed: `${UNDECIDED} AND f.verification_reason IS NOT NULL`,
  untestable: `${UNDECIDED} AND f.verification_reason IS NULL`,
};

/** The condition that a row `f` of findings has this belief, exactly as partial indexes have it. */
export const isBelieved = (belief: Belief): string => `f.${CONDITIONS[belief]}`;
