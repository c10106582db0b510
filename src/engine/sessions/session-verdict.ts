import type { Verdict } from '../probe-policy';
import type { CheckAnswer } from '../signed-in/session-check';

type Answer = Pick<CheckAnswer, 'state' | 'reason'>;

/** How all visitors of one experiment were answered. */
export interface SessionRound {
  /** Before and after the others. */
  readonly genuine: readonly Answer[];
  readonly nobody: readonly Answer[];
  readonly controls: readonly Answer[];
  readonly suspect: Answer;
  /** Whether the suspect got the page of the genuine session. */
  readonly isLikeGenuine: boolean;
  /** Whether the suspect got the answer of something made up. */
  readonly isLikeControl: boolean;
}

export interface SessionDecision {
  readonly state: 'open' | 'refused' | 'blocked' | 'unclear';
  readonly because: string;
}

type Rule = readonly [because: (round: SessionRound) => string, applies: (round: SessionRound) => boolean];

const isIn = ({ state }: Answer): boolean => state === 'in';
const isUnclear = ({ state }: Answer): boolean => state === 'unclear';

/** Why a round shows nothing: the first reason that applies. */
const UNCLEAR: readonly Rule[] = [
  [
    ({ genuine }) => `the genuine session was not shown as signed in: ${genuine.find((one) => !isIn(one))?.reason}`,
    ({ genuine }) => !genuine.every(isIn),
  ],
  [() => 'a visitor without a session gets the same', ({ nobody }) => nobody.some(isIn)],
  [() => 'what is made up is taken as well, so that it is not what is checked', ({ controls }) => controls.some(isIn)],
  [
    ({ nobody, controls }) => `a control has no clear answer: ${[...nobody, ...controls].find(isUnclear)?.reason}`,
    ({ nobody, controls }) => [...nobody, ...controls].some(isUnclear),
  ],
  [({ suspect }) => suspect.reason, ({ suspect }) => isUnclear(suspect)],
  [
    () => 'the answer has the sign of a session, but is not its page',
    ({ suspect, isLikeGenuine }) => isIn(suspect) && !isLikeGenuine,
  ],
];

/** What one round shows. A refusal counts only if something made up is refused alike: a filter may refuse the test alone. */
export function decideSession(round: SessionRound): SessionDecision {
  const because = UNCLEAR.find(([, applies]) => applies(round))?.[0](round);
  if (because !== undefined) return { state: 'unclear', because };
  const { suspect, isLikeControl } = round;
  if (isIn(suspect)) return { state: 'open', because: 'it opens what only a signed-in user sees' };
  return isLikeControl
    ? { state: 'refused', because: 'it is refused like a made-up one' }
    : { state: 'blocked', because: `it is refused otherwise than a made-up one: ${suspect.reason}` };
}

const FEWEST_ROUNDS = 5;

/** The verdict of a retest. */
export function sessionVerdict(rounds: readonly SessionDecision[], what: string): Verdict {
  const all = `${rounds.length} of ${rounds.length} turns`;
  const count = (state: SessionDecision['state']): number => rounds.filter((one) => one.state === state).length;
  if (count('open') > 0)
    return {
      result: 'still_vulnerable',
      reason: `${what} opened what only a signed-in user sees in ${count('open')} of ${all}`,
    };
  const unclear = rounds.find(({ state }) => state === 'unclear');
  if (unclear !== undefined || rounds.length < FEWEST_ROUNDS)
    return { result: 'inconclusive', reason: unclear?.because ?? `only ${rounds.length} turns were answered` };
  const blocked = rounds.find(({ state }) => state === 'blocked');
  if (blocked !== undefined)
    return { result: 'blocked', reason: `${what}: ${blocked.because}. A filter may refuse the test alone` };
  return {
    result: 'fixed',
    reason: `in ${all} it was refused like a made-up one, between two requests of the genuine session, which was served`,
  };
}
