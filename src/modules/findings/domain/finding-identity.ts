import { createHash } from 'node:crypto';

export interface WhatMakesItTheSame {
  readonly organizationId: number;
  readonly eventId: number | null;
  readonly assetValue: string;
  /** In hex. */
  readonly fingerprint: string;
}

/** Two records with the same identity are one finding, seen again. */
export function identityOf({ organizationId, eventId, assetValue, fingerprint }: WhatMakesItTheSame): Buffer {
  const text = JSON.stringify([organizationId, eventId, assetValue, fingerprint]);
  return createHash('sha256').update(text).digest();
}
