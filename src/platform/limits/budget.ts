import type { Caller } from '../api/caller';
import { type LimitClass, LIMIT_NAMES } from '../api/limit-class';

export const BUDGET_OWNERS = ['key', 'provider', 'organization', 'integrator', 'user'] as const;
export type BudgetOwner = (typeof BUDGET_OWNERS)[number];

export const WINDOW_SECONDS = 60;

/** What the keys of one owner may do together, in multiples of what one key may do. */
const KEYS_OF_OWNER = 4;

/** Requests of one kind that an owner may send in a window. */
export interface Budget {
  readonly owner: BudgetOwner;
  readonly ownerId: number;
  readonly limitClass: LimitClass;
  readonly limit: number;
  /** Of the budget of an operation of its own; that of the class by default. */
  readonly name?: string | undefined;
}

const nameOf = ({ name, limitClass }: Budget): string => name ?? LIMIT_NAMES[limitClass];

/** The limits of one key of an organization. */
export type LimitsOf = (organizationId: number | undefined) => Readonly<Record<LimitClass, number>>;

/**
 * The two budgets that a request uses: that of its key, and one of all keys of an owner. The owner is the organization of the key,
 * or the one that the path names, or the only one of the user; else it is the integrator or the user, so that many keys are not
 * many budgets. Another organization in the path is ignored: its budget is not the caller's.
 */
export function budgetsOf(
  { facts: { key, memberships, integrator, userId } }: Caller,
  limitClass: LimitClass,
  inPath: number | undefined,
  limitsOf: LimitsOf,
): readonly [Budget, Budget] {
  if (key === null) throw new Error('Only requests with an API key are limited.');
  const organizations = key.organizationId === null ? [...memberships.keys()] : [key.organizationId];
  const organizationId =
    organizations.length === 1 ? organizations[0] : organizations.find((organization) => organization === inPath);
  const limit = (of: number | undefined): number => limitsOf(of)[limitClass];
  // With access to several organizations, the highest limit: a request in one must not depend on requests in another.
  const ofKey = organizations.length === 0 ? limit(undefined) : Math.max(...organizations.map(limit));
  const [owner, ownerId, ofOwner] =
    organizationId !== undefined
      ? (['organization', organizationId, limit(organizationId)] as const)
      : integrator !== null
        ? (['integrator', integrator.id, ofKey] as const)
        : (['user', userId, ofKey] as const);
  return [
    { owner: 'key', ownerId: key.id, limitClass, limit: ofKey },
    { owner, ownerId, limitClass, limit: ofOwner * KEYS_OF_OWNER },
  ];
}

/** Those of the provider of an organization: as one key of it. */
export function budgetsOfProvider(
  organizationId: number,
  limitClass: LimitClass,
  limitsOf: LimitsOf,
): readonly [Budget, Budget] {
  const of = { ownerId: organizationId, limitClass };
  const limit = limitsOf(organizationId)[limitClass];
  return [
    { owner: 'provider', ...of, limit },
    { owner: 'organization', ...of, limit: limit * KEYS_OF_OWNER },
  ];
}

export const counterName = (budget: Budget): string => `${budget.owner}:${budget.ownerId}:${nameOf(budget)}`;

/** In the headers. */
export const policyName = (budget: Budget): string =>
  budget.owner === 'key' || budget.owner === 'provider' ? nameOf(budget) : `${budget.owner}-${nameOf(budget)}`;

const OWNERS: Record<BudgetOwner, (id: number) => string> = {
  key: () => 'this API key',
  provider: () => 'the SCIM token of this organization',
  organization: (id) => `all API keys of organization ${id} together`,
  integrator: () => 'all API keys of this integrator together',
  user: () => 'all API keys of this user together',
};

export const refusalSentence = (budget: Budget, seconds: number): string =>
  `The limit of ${budget.limit} ${nameOf(budget)} a minute for ${OWNERS[budget.owner](budget.ownerId)} is reached. ` +
  `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
