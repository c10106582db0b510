/** What was ended of a user's credentials, and why, for the mail to the user. */
export interface EndedCredentials {
  readonly reason: EndReason;
  /** The labels of API keys: of those that were ended, or that still work after a new password. */
  readonly keys: readonly string[];
  /** The issuers of identities at providers, in the same way. Missing in a mail that waited during an upgrade. */
  readonly identities?: readonly string[];
  readonly sessions: number;
  readonly hadSecondFactor: boolean;
  /** Invitations that the user had sent. */
  readonly invitations: number;
}

/**
 * `proved`: the first link that was sent to the address. `stated`: the operator has proved the address. `handed_link`: a link
 * that an owner has handed over. `new_password`: a later link that was sent to the address, which ends no keys and identities.
 */
export type EndReason = 'proved' | 'stated' | 'handed_link' | 'new_password';
