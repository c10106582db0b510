import type { Transport, Via } from '../transport/transport';
import type { SecretValues } from '../transport/secret-values';
import type { Account, SignInBook, SignInResult } from './account';
import { checkSession } from './session-check';
import { SessionState } from './session-state';
import { SignInStopped } from './sign-in-exchanges';
import type { SignInStep } from './sign-in-report';
import { SignInRun } from './sign-in-run';
import type { TotpCodes } from './totp-codes';

/** What a sign-in needs. `via` is that of the job without a session, so that its beacon, pace and end apply. */
export interface SignInEnvironment {
  readonly transport: Transport;
  readonly via: Via;
  readonly book: SignInBook;
}

export interface SignedIn {
  readonly result: SignInResult;
  readonly reason: string;
  readonly steps: readonly SignInStep[];
  /** Null unless the sign-in succeeded. */
  readonly state: SessionState | null;
  /** The sign-in book allows no sign-in now. */
  readonly isForbidden?: boolean;
}

/** One sign-in, which the book counts. An account with a proof is signed in only if the proof shows it. */
export async function signInOnce(
  account: Account,
  { transport, via, book }: SignInEnvironment,
  secrets: SecretValues,
  codes: TotpCodes | null,
  /** Of a visitor who may have cookies from before. */
  state = new SessionState(account, secrets, codes),
): Promise<SignedIn> {
  const forbidden = await book.begin();
  if (forbidden !== null)
    return { result: 'not_possible', reason: forbidden, steps: [], state: null, isForbidden: true };
  const run = new SignInRun(account, transport, via, state, codes);
  const ended = async (result: SignInResult, reason: string): Promise<SignedIn> => {
    await book.ended(result);
    return {
      result,
      reason: secrets.redact(reason),
      steps: secrets.redactAll(run.steps),
      state: result === 'signed_in' ? state : null,
    };
  };
  try {
    const recognised = await run.run();
    if (account.proof === null) return await ended('signed_in', recognised);
    const { state: seen, reason } = await checkSession(account, account.proof, transport, { ...via, session: state });
    if (seen === 'in') return await ended('signed_in', recognised);
    const shown = `${recognised}, but ${new URL(account.proof.url).pathname} shows no session, because ${reason}`;
    return await ended(
      seen === 'unclear' ? 'not_possible' : 'failed',
      `${shown}. Check the user name, the password and the proof`,
    );
  } catch (error) {
    // A sign-in counts as soon as it has begun, whatever its result.
    if (!(error instanceof SignInStopped)) {
      await book.ended('not_possible');
      throw error;
    }
    return await ended(error.result, error.message);
  }
}

/** Every secret that was entered for an account, none of which may appear anywhere. */
export const typedSecrets = ({ secrets: { password, totpSeed, value }, recipe }: Account): string[] => [
  ...[password, totpSeed, value].filter((one) => one !== undefined),
  ...(totpSeed === undefined ? [] : [totpSeed.replace(/[\s=-]/g, ''), totpSeed.replace(/[\s=-]/g, '').toUpperCase()]),
  ...(recipe.kind === 'cookie' ? cookieValues(value ?? '') : []),
];

const cookieValues = (field: string): string[] =>
  field
    .split(';')
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter((one) => one.length >= 6);
