export const INVITATION_STATES = ['open', 'accepted', 'revoked', 'expired', 'invalid'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

export interface InvitationFacts {
  readonly accepted: Date | null;
  readonly revoked: Date | null;
  readonly expires: Date;
  /** Whether the user who invited is still an owner of the organization, or acts as one. */
  readonly isInviterAllowed: boolean;
}

export function invitationState(
  { accepted, revoked, expires, isInviterAllowed }: InvitationFacts,
  now: Date,
): InvitationState {
  if (accepted !== null) return 'accepted';
  if (revoked !== null) return 'revoked';
  if (expires <= now) return 'expired';
  return isInviterAllowed ? 'open' : 'invalid';
}
