import type { Actor, Caller } from '../api/caller';

/** A key that exists although its secret was wrong, or that no longer counts: what the audit log says of the attempt. */
export interface KnownKey {
  readonly accessKey: string;
  readonly actor: Actor;
  readonly organizationId: number | null;
}

export type Authentication =
  { readonly caller: Caller } | { readonly caller?: undefined; readonly knownKey?: KnownKey };

/** Says whose credentials these are. The identity module provides it. */
export abstract class Authenticator {
  abstract authenticate(accessKey: string, secret: string): Promise<Authentication>;
}
