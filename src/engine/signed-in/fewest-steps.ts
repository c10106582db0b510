import { SecretValues } from '../transport/secret-values';
import type { Account, SignInBook, SignInRecipe, SignInRequest } from './account';
import { signInNow } from './sign-in-now';
import { type SignInEnvironment, signInOnce, typedSecrets } from './sign-in-once';
import type { SignInReport, SignInStep } from './sign-in-report';
import { sendsCredential } from './sign-in-values';
import { TotpCodes } from './totp-codes';

type Steps = readonly SignInRequest[];

const MOST_TRIES = 30;
/** An application may lock a user after more. */
const MOST_FAILED = 4;

const isNeeded = (step: SignInRequest): boolean =>
  sendsCredential(step) || step.fields.some(([, { from }]) => from === 'user_name');

/** Likely ones first, and then those without each request that is not known to be needed. */
function* fewerThan(all: Steps, current: () => Steps): Generator<Steps> {
  const needed = all.filter(isNeeded);
  const page = all.slice(0, all.findIndex(isNeeded)).findLast(({ method }) => method === 'GET');
  yield needed;
  if (page !== undefined) yield [page, ...needed];
  for (const step of all)
    if (!isNeeded(step) && current().includes(step)) yield current().filter((one) => one !== step);
}

/**
 * The fewest of the recorded requests that still sign in, each shown by a sign-in with the proof of the account, or with the first
 * one that the sign-in with all of them proposes. `book` counts the others, which may fail.
 */
export async function fewestSteps(
  account: Account & { readonly recipe: Extract<SignInRecipe, { kind: 'steps' }> },
  environment: SignInEnvironment,
  book: SignInBook,
): Promise<SignInReport> {
  const first = await signInNow(account, environment);
  const proof = account.proof ?? first.proposals[0]?.proof ?? null;
  if (first.result !== 'signed_in' || proof === null) return first;
  const secrets = new SecretValues(typedSecrets(account));
  const codes = TotpCodes.of(account);
  const all = account.recipe.steps;
  let [current, shown, tries, failed]: [Steps, readonly SignInStep[], number, number] = [all, first.steps, 1, 0];
  for (const steps of fewerThan(all, () => current)) {
    if (tries >= MOST_TRIES || failed >= MOST_FAILED) break;
    if (steps.length === 0 || steps.length >= current.length) continue;
    const tried = { ...account, proof, recipe: { ...account.recipe, steps } };
    const { result, steps: seen, isForbidden } = await signInOnce(tried, { ...environment, book }, secrets, codes);
    if (isForbidden === true) break;
    tries += 1;
    if (result === 'signed_in') [current, shown] = [steps, seen];
    else failed += 1;
  }
  const reason = `${current.length} of ${all.length} recorded requests sign in, as ${tries} sign-ins have shown: ${first.reason}`;
  return secrets.redactAll({ ...first, steps: shown, reason, recorded: { ...account.recipe, steps: [...current] } });
}
