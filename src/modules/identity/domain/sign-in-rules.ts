import { DAY_MS, MINUTE_MS } from '../../../kernel/durations';
import type { Role } from '../../../kernel/role';
import type { KeyScope } from '../../../platform/api/caller';

export const REQUIREMENTS = ['off', 'second_factor', 'passkey'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export const MIN_SESSION_MINUTES = 15;
export const MAX_SESSION_MINUTES = 30 * 24 * 60;
/** Unless an organization of the user has another limit. */
export const DEFAULT_IDLE_MINUTES = 12 * 60;
export const DEFAULT_SESSION_MINUTES = 7 * 24 * 60;

/** A membership with the rules of its organization, as JSON of the database; nulls without rules. */
export interface RuledMembership {
  readonly organization_id: number;
  readonly role: Role;
  readonly name: string;
  readonly second_factor: Requirement | null;
  readonly second_factor_from: string | null;
  readonly idle_minutes: number | null;
  readonly session_minutes: number | null;
}

export interface ReachableMembership extends RuledMembership {
  /** The identity at a provider that opens the organization in the session. */
  readonly identity_id: number | null;
  readonly is_by_own_provider: boolean;
  readonly is_reached: boolean;
}

/** The factors that the user has, and whether the session has used a passkey. */
export interface ShownFactors {
  /** False if only a provider has opened it, which asks for none of these factors. */
  readonly isOwn: boolean;
  readonly hasCode: boolean;
  readonly hasPasskey: boolean;
  readonly hasUsedPasskey: boolean;
}

/** What an organization requires and the session does not have. */
export interface UnmetRequirement {
  readonly organizationId: number;
  readonly name: string;
  readonly requirement: Exclude<Requirement, 'off'>;
  /** Until then the organization is open. */
  readonly from: Date | null;
  readonly isClosed: boolean;
  /** The user has a passkey, or came through a provider, and signed in without a factor of their own. */
  readonly needsSignIn: boolean;
}

/** The smallest limit among the organizations of the user counts. */
export function hasExpired(
  { created, lastUsed }: { readonly created: Date; readonly lastUsed: Date },
  memberships: readonly RuledMembership[],
  now: Date,
): boolean {
  const smallest = (limit: 'idle_minutes' | 'session_minutes', otherwise: number): number =>
    memberships.length === 0 ? otherwise : Math.min(...memberships.map((one) => one[limit] ?? otherwise));
  const minutesSince = (time: Date): number => (now.getTime() - time.getTime()) / MINUTE_MS;
  return (
    minutesSince(created) >= smallest('session_minutes', DEFAULT_SESSION_MINUTES) ||
    minutesSince(lastUsed) >= smallest('idle_minutes', DEFAULT_IDLE_MINUTES)
  );
}

/**
 * A passkey that is required must also be used: a code can be given to a page that pretends to be the portal. The provider of
 * the organization asks for a factor of its own.
 */
export function unmetRequirements(
  memberships: readonly ReachableMembership[],
  { isOwn, hasCode, hasPasskey, hasUsedPasskey }: ShownFactors,
  now: Date,
): UnmetRequirement[] {
  return memberships.flatMap(
    ({ organization_id: organizationId, name, is_by_own_provider: isByOwnProvider, ...rules }) => {
      const requirement = rules.second_factor ?? 'off';
      const hasFactor = requirement === 'second_factor' ? hasCode || hasPasskey : hasPasskey && hasUsedPasskey;
      if (requirement === 'off' || isByOwnProvider || (isOwn && hasFactor)) return [];
      const from = rules.second_factor_from === null ? null : new Date(rules.second_factor_from);
      const isClosed = from === null || from <= now;
      return [{ organizationId, name, requirement, from, isClosed, needsSignIn: hasPasskey || !isOwn }];
    },
  );
}

interface RuledKey {
  readonly created: Date;
  readonly scopes: readonly KeyScope[];
  /** When it no longer opens the organization. */
  readonly ends: Date | null;
}

interface KeyRules {
  readonly keyDays: number | null;
  readonly allowedScopes: readonly KeyScope[] | null;
}

/** The latest end of a key. */
export const latestEnd = (created: Date, days: number): Date => new Date(created.getTime() + days * DAY_MS);

/** The scopes that no key may have. */
export const forbiddenScopes = (
  scopes: readonly KeyScope[],
  { allowedScopes }: Pick<KeyRules, 'allowedScopes'>,
): KeyScope[] => (allowedScopes === null ? [] : scopes.filter((scope) => !allowedScopes.includes(scope)));

/** Whether it lives longer than the rules of its organization allow. */
export const livesTooLong = (
  { created, ends }: Pick<RuledKey, 'created' | 'ends'>,
  { keyDays }: Pick<KeyRules, 'keyDays'>,
): boolean => keyDays !== null && (ends === null || ends > latestEnd(created, keyDays));

export const breaksRules = (key: RuledKey, rules: KeyRules): boolean =>
  livesTooLong(key, rules) || forbiddenScopes(key.scopes, rules).length > 0;
