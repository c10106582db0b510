import type { AccountSecrets, SessionProof, SignInRecipe, SignInRequest } from '../../../engine';
import { isOwnHeader } from '../../../engine/transport/reserved-headers';
import { invalid } from '../../../kernel/domain-error';
import { requireWebUrl } from '../../../kernel/web-url';
import { canonicalOrigins } from './account-origins';
import { either, listOf, objectOf, oneOf, optional, type Reader, text, tupleOf } from './read-json';

/** The longest recipe as JSON. */
const MAX_RECIPE_LENGTH = 65_536;
const MAX_STEPS = 20;
const MAX_FIELDS = 50;

const short = text(200);
const long = text(4_096);

const value = either(
  'from',
  {
    text: objectOf({ from: short, text: text(4_096, 0) }),
    user_name: objectOf({ from: short }),
    password: objectOf({ from: short }),
    totp: objectOf({ from: short }),
    page: objectOf({ from: short, name: short }),
  },
  'where its value comes from',
);

const fields = listOf(tupleOf(short, value), MAX_FIELDS);

const request = objectOf({
  method: oneOf('GET', 'POST', 'PUT'),
  url: long,
  format: oneOf('json', 'form', 'none'),
  fields,
  headers: optional(fields),
});

const totp = optional(objectOf({ field: optional(short), digits: optional(oneOf(6, 8)) }));
const token = optional(objectOf({ path: short, header: optional(short), prefix: optional(text(100, 0)) }));
const named = { kind: short, user_name: short, totp };

/** How an account signs in, as requests state it. */
const recipe: Reader = either(
  'kind',
  {
    form: objectOf({ ...named, page: long, user_field: optional(short), password_field: optional(short) }),
    request: objectOf({ ...named, page: optional(long), request, token }),
    steps: objectOf({ ...named, steps: listOf(request, MAX_STEPS, 1), token }),
    basic: objectOf(named),
    header: objectOf({ kind: short, name: short, totp }),
    cookie: objectOf({ kind: short, totp }),
  },
  'how it signs in',
);

/** The names of the API, and of the engine. */
const NAMES = { user_name: 'userName', user_field: 'userField', password_field: 'passwordField' } as const;

const renamed = (object: object, names: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(object).map(([name, one]) => [names[name] ?? name, one as unknown]));

/** Reads what a request states. Throws an error that names the field. */
export function recipeOf(stated: unknown): SignInRecipe {
  if (JSON.stringify(stated).length > MAX_RECIPE_LENGTH)
    throw invalid(`sign_in must have at most ${MAX_RECIPE_LENGTH} characters as JSON.`);
  const read = renamed(recipe(stated, 'sign_in') as object, NAMES) as SignInRecipe;
  for (const name of headersOf(read))
    if (!isOwnHeader(name))
      throw invalid(
        `sign_in has the header ${JSON.stringify(name)}: name one that carries a credential, not who asks, where, or how.`,
      );
  return read;
}

/** The headers that it sends. */
const headersOf = (read: SignInRecipe): string[] => [
  ...(read.kind === 'header' ? [read.name] : []),
  ...requestsOf(read).flatMap(({ headers = [] }) => headers.map(([name]) => name)),
  ...('token' in read && read.token?.header !== undefined ? [read.token.header] : []),
];

export const presentedRecipe = (stored: SignInRecipe): object =>
  renamed(stored, Object.fromEntries(Object.entries(NAMES).map(([name, own]) => [own, name])));

/** Each of its addresses must be at one of the origins. */
export function requireAtOrigins(stated: SignInRecipe, origins: readonly string[]): void {
  const page = 'page' in stated && stated.page !== undefined ? [['sign_in.page', stated.page] as const] : [];
  const urls = requestsOf(stated).map(({ url }, at) => [`sign_in: the URL of request ${at + 1}`, url] as const);
  for (const [name, url] of [...page, ...urls]) requireAt(name, url, origins);
}

function requireAt(name: string, url: string, origins: readonly string[]): void {
  const { origin } = requireWebUrl(url, name);
  const [canonical = ''] = canonicalOrigins([origin]);
  if (!origins.includes(canonical))
    throw invalid(`${name} is at ${canonical}, which is none of the origins of the account: ${origins.join(', ')}.`);
}

const requestsOf = (stated: SignInRecipe): readonly SignInRequest[] => {
  if (stated.kind === 'steps') return stated.steps;
  return stated.kind === 'request' ? [stated.request] : [];
};

/** The secrets that it needs. */
function neededBy(stated: SignInRecipe): (keyof AccountSecrets)[] {
  if (stated.kind === 'header' || stated.kind === 'cookie') return ['value', ...withCode(stated)];
  const sent = requestsOf(stated).flatMap((one) => [...one.fields, ...(one.headers ?? [])]);
  const asks = (from: string): boolean => sent.some(([, one]) => one.from === from);
  const isTyped = stated.kind === 'form' || stated.kind === 'basic';
  return [
    ...(isTyped || asks('password') ? (['password'] as const) : []),
    ...(stated.totp !== undefined || asks('totp') ? (['totpSeed'] as const) : []),
  ];
}

const withCode = ({ totp: code }: SignInRecipe): 'totpSeed'[] => (code === undefined ? [] : ['totpSeed']);

const SECRET_NAMES = { password: 'password', totpSeed: 'totp_seed', value: 'value' } as const;
const MIN_LENGTH = 3;

/** All the secrets that it needs, and no others: nothing is stored that is not used. */
export function requireFitting(stated: SignInRecipe, secrets: AccountSecrets): void {
  const needed = neededBy(stated);
  for (const [name, shown] of Object.entries(SECRET_NAMES) as [keyof AccountSecrets, string][]) {
    const given = secrets[name];
    const isNeeded = needed.includes(name);
    if (isNeeded && given === undefined) throw invalid(`secrets.${shown} is missing: sign_in needs it.`);
    if (!isNeeded && given !== undefined) throw invalid(`secrets.${shown} must be left out: sign_in does not need it.`);
    if (given !== undefined && given.length < MIN_LENGTH)
      throw invalid(`secrets.${shown} must have at least ${MIN_LENGTH} characters.`);
  }
  if (secrets.totpSeed !== undefined && !/^[A-Z2-7]{8,}=*$/i.test(secrets.totpSeed.replace(/[\s-]/g, '')))
    throw invalid('secrets.totp_seed must be in base32: the text that the application shows beside its QR code.');
}

/** Only copied values end on a day that must be stated. */
export function requireExpiring({ kind }: SignInRecipe, expires: string | null): void {
  if (expires !== null && kind !== 'header' && kind !== 'cookie')
    throw invalid('expires is for a sign_in of the kind header or cookie: the others sign in again. Set it to null.');
}

const proof = objectOf({ url: long, text: text(500), only: oneOf('in', 'out') });

/** Null if the request states null. */
export function proofOf(stated: unknown): SessionProof | null {
  if (stated === null) return null;
  const { only, ...read } = proof(stated, 'proof') as Omit<SessionProof, 'isOnly'> & { only: SessionProof['isOnly'] };
  return { ...read, isOnly: only };
}

export const presentedProof = ({ isOnly, ...rest }: SessionProof): object => ({ ...rest, only: isOnly });

/** An address at an origin of the account. */
export function requireProof(stated: SessionProof, origins: readonly string[]): SessionProof {
  requireAt('proof.url', stated.url, origins);
  return stated;
}
