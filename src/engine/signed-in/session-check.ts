import { randomInt } from 'node:crypto';
import { shuffled } from '../client-behaviors';
import { hasCaptcha } from '../firewall-pages';
import type { Page } from '../page';
import { blockReason } from '../response-trust';
import { ExchangeFailed } from '../transport/exchange';
import type { Transport, Via } from '../transport/transport';
import { type Account, SessionEnded, type SessionProof } from './account';
import { statedPlace } from './account-origin';
import { SessionState } from './session-state';

const SEARCHED_CHARACTERS = 300_000;
/** How often each kind of check runs before a test. */
const CHECKS = 3;

/** `refused`: 403, which a firewall sends too. `unclear`: no answer that shows whether the session is valid. */
export interface CheckAnswer {
  readonly state: 'in' | 'out' | 'refused' | 'unclear';
  readonly reason: string;
}

/** What an answer to the request of a proof says about the session. */
export function answerOf(page: Page, { text, isOnly }: SessionProof): CheckAnswer {
  const isThere = page.text.slice(0, SEARCHED_CHARACTERS).includes(text);
  const { status } = page;
  const reason = `it answers ${status}, ${isThere ? 'with' : 'without'} "${text}"`;
  if (status === 401) return { state: 'out', reason };
  if (status === 403) return { state: 'refused', reason };
  const blocked = blockReason(page);
  if (blocked !== null) return { state: 'unclear', reason: blocked };
  if (isOnly === 'in' && isThere) return { state: status < 300 ? 'in' : 'unclear', reason };
  if (hasCaptcha(page)) return { state: 'unclear', reason: 'it shows a captcha' };
  if (isOnly === 'in' || isThere || (status >= 300 && status < 400)) return { state: 'out', reason };
  return status < 300 && page.body.length > 0 ? { state: 'in', reason } : { state: 'unclear', reason };
}

/** Sends the request of the proof with the cookies and fields of a visitor. */
export async function checkSession(
  account: Account,
  proof: SessionProof,
  transport: Transport,
  via: Via,
): Promise<CheckAnswer> {
  try {
    const { value } = await transport.http(statedPlace(account, proof.url), via);
    return answerOf({ ...value, hops: [] }, proof);
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return { state: 'unclear', reason: error.failure.reason };
  }
}

const listed = (answers: readonly CheckAnswer[]): string =>
  [...new Set(answers.map(({ reason }) => reason))].join('; ');

/**
 * Three checks with the session and three without, in random order. Throws `SessionEnded` unless they differ. Returns
 * whether visitors without a session get 403, so that it later means that the session has ended.
 */
export async function proveBoth(
  account: Account,
  proof: SessionProof,
  state: SessionState,
  transport: Transport,
  via: Via,
  randomBelow: (limit: number) => number = randomInt,
): Promise<{ readonly isRefusalOut: boolean }> {
  const answers = { in: [] as CheckAnswer[], out: [] as CheckAnswer[] };
  for (const side of shuffled(
    (['in', 'out'] as const).flatMap((one) => Array<typeof one>(CHECKS).fill(one)),
    randomBelow,
  )) {
    const visitor = side === 'in' ? state : new SessionState(account, state.secrets);
    answers[side].push(await checkSession(account, proof, transport, { ...via, session: visitor }));
  }
  const all = (side: CheckAnswer[], state: CheckAnswer['state']): boolean => side.every((one) => one.state === state);
  const isOut = all(answers.out, 'out') || all(answers.out, 'refused');
  if (all(answers.in, 'in') && isOut) return { isRefusalOut: all(answers.out, 'refused') };
  const { pathname } = new URL(proof.url);
  const seen = `${pathname}, signed in: ${listed(answers.in)}. Signed out: ${listed(answers.out)}`;
  const [first] = answers.in;
  const isSame = [...answers.in, ...answers.out].every((one) => one.reason === first?.reason);
  if ([...answers.in, ...answers.out].some((one) => one.state === 'unclear'))
    throw new SessionEnded(
      'unproved',
      `the session of "${account.name}" could not be checked. ${seen}. Test again when the target answers`,
    );
  throw new SessionEnded(
    'unverifiable',
    `the session of "${account.name}" cannot be verified, because ${isSame ? 'the same answer comes with and without it' : 'the answers do not tell it from none'}. ${seen}. Choose another proof`,
  );
}
