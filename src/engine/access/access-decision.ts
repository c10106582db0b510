import type { AccessKind } from '../access-record';

/** What is known about one value that an answer shows, and about the request for it. */
export interface AccessFacts {
  readonly kind: Exclude<AccessKind, 'cache'>;
  /** The account that gets it. */
  readonly asker: 'other' | 'nobody';
  /** An admin has entered it as the owner's alone; otherwise it was read from pages. */
  readonly isTyped: boolean;
  /** An admin has declared that both may have it. */
  readonly isShared: boolean;
  /** The request itself has it, so that an error page may repeat it. */
  readonly isInRequest: boolean;
  readonly isOnPageOfOther: boolean;
  readonly isOnPageOfNobody: boolean;
  /** The other account has the request among its own pages. */
  readonly isRequestOfOther: boolean;
  /** Each of the owner's own requests has shown it, before and after. */
  readonly showsToOwner: boolean;
  /** At an address that both accounts request and that names no object, the owner is shown it, and the other account is not. */
  readonly isOfAccount: boolean;
  /** It is one of several values that were read from this answer. */
  readonly isOneOfSeveral: boolean;
  /** The other account has objects of its own on the route. */
  readonly hasTwin: boolean;
  /** The pages of both name the same object of the route. */
  readonly isRouteShared: boolean;
  /** The same request with an id that does not exist gets it too. */
  readonly showsForNeighbour: boolean;
  readonly showsFirst: boolean;
  /** In a second session, opened for this request. */
  readonly showsAgain: boolean;
  /** With a query that no cache knows. */
  readonly showsPastCaches: boolean;
  /** The answer to that says that a cache sent it. */
  readonly isFromCache: boolean;
  readonly showsToNobody: boolean;
}

export type AccessDecision = { readonly found: AccessKind } | { readonly found: null; readonly because: string };

type Rule = readonly [because: string, rejects: (facts: AccessFacts) => boolean];

const isRead = ({ isTyped }: AccessFacts): boolean => !isTyped;

/** Why an answer with the value proves nothing: the first reason that applies. */
const RULES: readonly Rule[] = [
  ['it is declared as shared', ({ isShared }) => isShared],
  ['the request says the value itself', ({ isInRequest }) => isInRequest],
  ['the value is on a page of the other account', ({ isOnPageOfOther }) => isOnPageOfOther],
  ['the value is on a page without a session', ({ isOnPageOfNobody }) => isOnPageOfNobody],
  ['the owner was not shown it each time', ({ showsToOwner }) => !showsToOwner],
  ['an id that does not exist gets it too', ({ showsForNeighbour }) => showsForNeighbour],
  [
    'the other account has this request in its own pages',
    ({ kind, isRequestOfOther }) => kind === 'function' && isRequestOfOther,
  ],
  ['it was not shown twice', ({ showsFirst, showsAgain }) => !showsFirst || !showsAgain],
  // A value from pages is private only if several facts agree: public pages have codes and addresses too.
  ['it is public: it comes without a session as well', (facts) => isRead(facts) && facts.showsToNobody],
  ['without a session, only what an admin typed is proof', (facts) => isRead(facts) && facts.asker === 'nobody'],
  [
    'nothing shows that it is a value of the account',
    (facts) => isRead(facts) && facts.kind === 'object' && !facts.isOfAccount,
  ],
  [
    'the other account has no object of its own on the route',
    (facts) => isRead(facts) && facts.kind === 'object' && !facts.hasTwin,
  ],
  [
    'both accounts know the same object of the route',
    (facts) => isRead(facts) && facts.kind === 'object' && facts.isRouteShared,
  ],
  [
    'one value alone may be on a page for all',
    (facts) => isRead(facts) && facts.kind === 'function' && !facts.isOneOfSeveral,
  ],
];

/** Whether an answer with a value of the owner is a finding. Status, length and similarity do not count. */
export function decideAccess(facts: AccessFacts): AccessDecision {
  const because = RULES.find(([, rejects]) => rejects(facts))?.[0];
  if (because !== undefined) return { found: null, because };
  return { found: facts.showsPastCaches && !facts.isFromCache ? facts.kind : 'cache' };
}
