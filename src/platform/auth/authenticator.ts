import type { Actor, Caller } from '../api/caller';

/** An existing key whose secret was wrong, or that is expired or revoked; for the audit log. */
export interface KnownKey {
  readonly accessKey: string;
  readonly actor: Actor;
  readonly organizationId: number | null;
}

/** `reason` is for the holder of a valid secret, instead of the usual sentence. */
export type Authentication =
  | { readonly caller: Caller; readonly knownKey?: undefined; readonly reason?: undefined }
  | { readonly caller?: undefined; readonly knownKey?: KnownKey; readonly reason?: string };

/** The kinds of requests of a key: `poll` is a GET that the scope `ci` allows too. */
export type KeyUse = 'read' | 'poll' | 'ci' | 'write';

/** Authenticates API keys. The identity module provides it. */
export abstract class Authenticator {
  abstract authenticate(accessKey: string, secret: string): Promise<Authentication>;

  /** Records which kind of request a key was used for, without delaying the request. */
  abstract recordUse(keyId: number, use: KeyUse): void;
}
