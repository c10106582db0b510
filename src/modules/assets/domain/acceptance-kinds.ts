/** What an acceptance lets jobs pass with: findings of the check, or that the check could not be completed. */
export const ACCEPTANCE_KINDS = ['findings', 'incompleteness'] as const;

export type AcceptanceKind = (typeof ACCEPTANCE_KINDS)[number];

interface Ends {
  readonly until: Date;
  readonly incompleteUntil: Date | null;
  readonly acceptedAt: Date;
}

/** The ends of an acceptance as they are stored: without findings, those count from the decision on. */
export const storedEnds = (covers: AcceptanceKind, until: Date, acceptedAt: Date): Ends =>
  covers === 'findings'
    ? { until, incompleteUntil: null, acceptedAt }
    : { until: acceptedAt, incompleteUntil: until, acceptedAt };

/** An earlier version that changes a row leaves its second end, which then says nothing. */
export const kindOf = ({ until, incompleteUntil, acceptedAt }: Ends): AcceptanceKind =>
  incompleteUntil !== null && until <= acceptedAt ? 'incompleteness' : 'findings';

export const endOf = (ends: Ends): Date =>
  kindOf(ends) === 'findings' ? ends.until : (ends.incompleteUntil ?? ends.until);
