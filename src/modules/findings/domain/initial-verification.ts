import { createHash } from 'node:crypto';

export const INITIAL_VERIFICATION_KIND = 'finding.baseline';

/**
 * The reference of an initial verification in the work queue. It contains the check, because a replaced check is verified again,
 * and the event, because another event may allow a test that the first one refuses.
 */
export const initialVerificationReference = (
  findingId: number,
  eventId: number | null,
  checkDefinition: unknown,
): string =>
  `${findingId} ${createHash('sha256')
    .update(JSON.stringify([eventId, checkDefinition]))
    .digest('base64url')}`;

export const findingOfInitialVerification = (reference: string): number => Number.parseInt(reference, 10);
