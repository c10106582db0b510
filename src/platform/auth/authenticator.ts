import type { Actor, Caller } from '../api/caller';

/** An existing key whose secret was wrong, or that is expired or revoked; for the audit log. */
export interface KnownKey {
  readonly accessKey: string;
  readonly actor: Actor;
  readonly organizationId: number | null;
}

export type Authentication =
  | { readonly caller: Caller; readonly knownKey?: undefined }
  | { readonly caller?: undefined; readonly knownKey?: KnownKey };

/** Authenticates API keys. The identity module provides it. */
export abstract class Authenticator {
  abstract authenticate(accessKey: string, secret: string): Promise<Authentication>;
}
