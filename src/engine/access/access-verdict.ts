import type { AccessKind } from '../access-record';
import type { Verdict } from '../probe-policy';

/** How a request for what belongs to another was answered. */
export type Refused =
  | { readonly state: 'shows' }
  | { readonly state: 'refused'; readonly status: number }
  | { readonly state: 'unclear'; readonly reason: string };

/** One turn of a series. All its requests were sent in sessions that were proved before and after it. */
export interface AccessRound {
  readonly ownerShows: boolean;
  readonly other: Refused;
  readonly nobody: Refused;
  /** Whether the other account is served an object of its own on the route; null if it has none. */
  readonly servesTwin: boolean | null;
  /** Between equals: how the owner is answered for the object of the other account; null if that was not requested. */
  readonly reverse: Refused | null;
}

export interface AccessNames {
  readonly kind: AccessKind;
  readonly owner: string;
  readonly other: string;
  readonly path: string;
}

const FEWEST_ROUNDS = 5;

const inconclusive = (reason: string): Verdict => ({ result: 'inconclusive', reason });

/**
 * The second form of the principle that refusals need a twin: here the refusal is the fix, if what the other account may have
 * is still served beside it, and its owner still has what is refused.
 */
export function accessVerdict(
  rounds: readonly AccessRound[],
  { kind, owner, other, path }: AccessNames,
  refusalsCountAsFixed = false,
): Verdict {
  const turns = `${rounds.length} of ${rounds.length} turns`;
  const shown = (pick: (round: AccessRound) => Refused | null): number =>
    rounds.filter((one) => pick(one)?.state === 'shows').length;
  const got = shown((round) => round.other);
  const gotByNobody = shown((round) => round.nobody);
  if (got > 0)
    return { result: 'still_vulnerable', reason: `${other} got values of ${owner} from ${path} in ${got} of ${turns}` };
  if (gotByNobody > 0)
    return {
      result: 'still_vulnerable',
      reason: `without a session, ${path} showed values of ${owner} in ${gotByNobody} of ${turns}`,
    };
  if (shown((round) => round.reverse) > 0)
    return { result: 'still_vulnerable', reason: `${owner} got values of ${other} on the same route as ${path}` };
  if (rounds.length < FEWEST_ROUNDS) return inconclusive(`only ${rounds.length} turns of the series were answered`);
  if (!rounds.every(({ ownerShows }) => ownerShows))
    return inconclusive(
      `${owner} is no longer shown its own values at ${path}, so that a refusal to others says nothing`,
    );
  const unclear = rounds
    .flatMap(({ other: one, nobody, reverse }) => [
      ['as the other account', one] as const,
      ['without a session', nobody] as const,
      ['as the owner', reverse] as const,
    ])
    .find(([, one]) => one?.state === 'unclear');
  if (unclear !== undefined && unclear[1]?.state === 'unclear')
    return inconclusive(`${path}, ${unclear[0]}: ${unclear[1].reason}`);
  const statuses = [...new Set(rounds.flatMap(({ other: one }) => (one.state === 'refused' ? [one.status] : [])))].join(
    ' and ',
  );
  const fact = `in ${turns} ${other} got ${statuses} for ${path}, and ${owner} its own values`;
  if (rounds.some(({ servesTwin }) => servesTwin === null))
    return refusalsCountAsFixed && kind !== 'cache'
      ? {
          result: 'fixed',
          reason: `${fact}: the organization counts it as fixed when the site itself refuses a request`,
          byRefusal: 'setting',
        }
      : {
          result: 'blocked',
          reason: `${fact}, but ${other} has no object of its own on this route that is still served: the refusal may be for this account alone`,
        };
  if (!rounds.every(({ servesTwin }) => servesTwin === true))
    return inconclusive(
      `${other} is not served its own object on the same route, so that the refusal of ${path} may be for this account alone`,
    );
  return {
    result: 'fixed',
    reason: `${fact}, while ${other} was served its own object on the same route. Both sessions were proved before and after each turn`,
  };
}
