/** As whom a request was sent: as the account that an object belongs to, as the other account, or without a session. */
export type AccessVisitor = 'owner' | 'other' | 'nobody';

export interface NamedAccount {
  readonly id: string;
  readonly name: string;
}

/** A request of an account, and values of it alone that the answer shows: no more of the answer is kept. */
export interface OwnedObject {
  /** With its query. */
  readonly path: string;
  readonly values: readonly string[];
  /** Whether these are values that no other may know; else only this one was shown them. */
  readonly isPrivate?: boolean;
}

/** One request, and what of its answer decides. */
export interface AccessRow {
  readonly as: AccessVisitor;
  readonly path: string;
  readonly expects: string;
  readonly status: number;
  readonly bytes: number;
  /** Values of the owner that the answer shows. */
  readonly values: readonly string[];
  readonly at: string;
}

/** `object`: what belongs to an account is given to others. `function`: what only the account above has. `cache`: a cache gives it. */
export type AccessKind = 'object' | 'function' | 'cache';

/** What showed that others get what belongs to an account, and what a retest repeats. Plain JSON. */
export interface AccessRecord {
  readonly kind: AccessKind;
  readonly owner: NamedAccount;
  readonly other: NamedAccount;
  readonly seenAs: Exclude<AccessVisitor, 'owner'>;
  /** Of the owner, on one route. The first one was decisive. */
  readonly objects: readonly OwnedObject[];
  /** The same request with another id, which does not exist. */
  readonly neighbour: string | null;
  /** Of the other account on the same route: what a fix must still serve. */
  readonly twin: OwnedObject | null;
  /** Whether the owner may not see what is the other account's either. */
  readonly areEquals: boolean;
  readonly rows: readonly AccessRow[];
}
