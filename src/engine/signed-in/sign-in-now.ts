import { parseUrl } from '../../kernel/parse-url';
import { bytesOfBase32 } from '../../kernel/totp';
import { decodedEntities } from '../entities';
import type { Page } from '../page';
import { withoutTags } from '../response-similarity';
import { snapshot } from '../snapshot';
import { ExchangeFailed } from '../transport/exchange';
import { originOf } from '../transport/http';
import { SecretValues, SHORTEST_SECRET } from '../transport/secret-values';
import type { Account, SignInRecipe } from './account';
import { placeAt, statedPlace } from './account-origin';
import { proposedProofs, type Visits } from './propose-proofs';
import { SessionState } from './session-state';
import { type SignInEnvironment, signInOnce, typedSecrets } from './sign-in-once';
import type { SeenPage, SignInReport } from './sign-in-report';
import { TotpCodes } from './totp-codes';

const VISITS = 2;
/** Where applications show who is signed in. */
const USUAL_PATHS = ['/', '/account', '/profile', '/dashboard', '/api/me', '/api/user', '/me'];
const SHOWN_CHARACTERS = 2_000;

const statedUrls = (recipe: SignInRecipe): string[] => {
  switch (recipe.kind) {
    case 'form':
      return [recipe.page];
    case 'request':
      return [...(recipe.page === undefined ? [] : [recipe.page]), recipe.request.url];
    case 'steps':
      return recipe.steps.map(({ url }) => url);
    default:
      return [];
  }
};

/** What is wrong with an account before anything is sent, in sentences: addresses at other origins, missing or short secrets. */
export function accountProblems({ recipe, secrets, origins, proof }: Account): string[] {
  const urls = [...statedUrls(recipe), ...(proof === null ? [] : [proof.url])];
  const elsewhere = urls.filter((url) => {
    const parsed = parseUrl(url);
    return parsed === null || placeAt(origins, parsed) === null;
  });
  const needed = recipe.kind === 'header' || recipe.kind === 'cookie' ? 'value' : 'password';
  const short = Object.entries(secrets).filter(([, value]) => value !== undefined && value.length < SHORTEST_SECRET);
  return [
    ...(origins.length === 0 ? ['The account names no origin.'] : []),
    ...elsewhere.map((url) => `${url.split('?', 1)[0]} is at none of the account's origins.`),
    ...(secrets[needed] === undefined ? [`The ${needed} is missing.`] : []),
    ...short.map(
      ([name]) =>
        `The ${name} has fewer than ${SHORTEST_SECRET} characters, so that it cannot be kept out of evidence.`,
    ),
    ...(secrets.totpSeed !== undefined && bytesOfBase32(secrets.totpSeed) === null
      ? ['The TOTP seed is not in base32.']
      : []),
  ];
}

async function seenPage(page: Page): Promise<SeenPage> {
  const { title } = await snapshot(page);
  const text = decodedEntities(withoutTags(page.text.slice(0, 100_000)))
    .replace(/\s+/g, ' ')
    .trim();
  return { url: page.url.split('?', 1)[0] ?? '', status: page.status, title, text: text.slice(0, SHOWN_CHARACTERS) };
}

/** Pages that may show who is signed in, at each origin. */
function candidates({ origins, proof, recipe }: Account): string[] {
  const usual = origins.flatMap((one) => USUAL_PATHS.map((path) => `${originOf(one)}${path}`));
  return [
    ...new Set([...(proof === null ? [] : [proof.url]), ...usual, ...(recipe.kind === 'form' ? [recipe.page] : [])]),
  ].slice(0, 20);
}

async function visitsOf(
  account: Account,
  { transport, via }: SignInEnvironment,
  state: SessionState,
): Promise<Visits[]> {
  const visit = async (url: string, visitor: SessionState): Promise<Page> => {
    const { value } = await transport.http(statedPlace(account, url), { ...via, session: visitor });
    return { ...value, hops: [] };
  };
  const visits: Visits[] = [];
  for (const url of candidates(account)) {
    const seen = { in: [] as Page[], out: [] as Page[] };
    try {
      for (let time = 0; time < VISITS; time += 1) {
        seen.in.push(await visit(url, state));
        seen.out.push(await visit(url, new SessionState(account, state.secrets)));
      }
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      continue;
    }
    if (seen.in.every(({ status }) => status < 400)) visits.push({ url, ...seen });
  }
  return visits;
}

/** What "Sign in now" does: one sign-in, two visits of a few pages with the session and two without, and proposals of a proof. */
export async function signInNow(account: Account, environment: SignInEnvironment): Promise<SignInReport> {
  const secrets = new SecretValues(typedSecrets(account));
  const nothing = { pagesIn: [], pagesOut: [], proposals: [] };
  const [problem] = accountProblems(account);
  if (problem !== undefined) return { result: 'not_possible', steps: [], reason: secrets.redact(problem), ...nothing };
  const { result, steps, reason, state } = await signInOnce(account, environment, secrets, TotpCodes.of(account));
  if (state === null) return { result, steps, reason, ...nothing };
  const visits = await visitsOf(account, environment, state);
  const shown = (side: 'in' | 'out'): Promise<SeenPage[]> =>
    Promise.all(visits.flatMap((one) => one[side].slice(0, 1)).map(seenPage));
  const proposals = proposedProofs(visits, secrets, 'userName' in account.recipe ? account.recipe.userName : '');
  const [pagesIn, pagesOut] = [await shown('in'), await shown('out')];
  const advice =
    proposals.length === 0 && account.proof === null
      ? ', but no page was seen that tells the session from none: state a proof yourself'
      : account.proof === null
        ? ': confirm one of the proposed proofs'
        : ', and the proof shows the session';
  return secrets.redactAll({ result, steps, reason: `${reason}${advice}`, pagesIn, pagesOut, proposals });
}
