import type { Account } from './account';
import type { SignInEnvironment } from './account-session';
import type { SignInReport } from './sign-in-report';

/** What "Sign in now" does: one sign-in, two visits of a few pages with the session and two without, and proposals of a proof. */
export async function signInNow(_account: Account, _environment: SignInEnvironment): Promise<SignInReport> {
  throw new Error('not built yet');
}

/** What is wrong with an account before anything is sent, as sentences: addresses at other origins, missing or short secrets. */
export function accountProblems(_account: Account): string[] {
  throw new Error('not built yet');
}
