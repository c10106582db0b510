import { createHash } from 'node:crypto';

export const initialVerificationKind = 'finding.baseline';

/**
 * The look at a finding's check right after it was recorded, as work is known by. A check that has replaced another is
 * looked at for itself, also while somebody still looks at the other; so is one that was recorded in another event, whose
 * rules may allow what the first one's refuse.
 */
export const initialVerificationReference = (findingId: number, eventId: number, checkDefinition: unknown): string =>
  `${findingId} ${createHash('sha256')
    .update(JSON.stringify([eventId, checkDefinition]))
    .digest('base64url')}`;

export const findingOfInitialVerification = (reference: string): number => Number.parseInt(reference, 10);
