import type { SentRequest, Target } from '../../../engine';
import { locationOf } from '../../../engine/target';
import { invalid } from '../../../kernel/domain-error';
import { inTurns } from '../../../kernel/in-turns';
import { parseUrl } from '../../../kernel/parse-url';
import { redact } from '../../../kernel/redact';
import type { TestDepth } from '../../../kernel/test-depth';
import { hostOf, MAX_URL_LENGTH, portOf } from '../../../kernel/web-url';

export const MAX_SEED_URLS = 2_000;
/** The largest body of a request. */
export const MAX_HAR_LENGTH = 262_144;

/** The longest path with its query, before the values of secrets are replaced. */
const LONGEST_WITH_SECRETS = 4 * MAX_URL_LENGTH;

const USUAL_VALUE = '1';
const MAX_HEADERS = 20;
const MAX_VALUE_LENGTH = 1_000;

/** Where a job begins besides the page of its launch. */
export interface StatedSeeds {
  readonly urls: readonly string[];
  /** The text of a HAR file. */
  readonly har: string | null;
}

const NO_SEEDS: StatedSeeds = { urls: [], har: null };

export interface ImportedPlace {
  readonly location: string;
  readonly parameter: string | null;
}

const originOf = (target: Target): string => new URL(locationOf(target)).origin;

const isSameOrigin = (url: URL, { scheme, host, port }: Target): boolean =>
  url.protocol === `${scheme}:` && hostOf(url) === host && portOf(url) === port;

/** Parameters of signed links and of sign-ins, besides those that `redact` knows. */
const SECRET_PARAMETER =
  /^(?:x-(?:amz|goog|oss|cos)-.+|sig|sign|hmac|code|ticket|otp|jwt|auth|key|sid|phpsessid|saml\w+)$/i;

const isSecret = (text: string): boolean => redact(text) !== text;

const isSecretParameter = ([name, value]: readonly [string, string]): boolean =>
  SECRET_PARAMETER.test(name) || isSecret(`${name}=${value}`);

/** The value of a secret is replaced, because an invalid one is tested as well. */
const withoutSecret = (parameter: string): string =>
  [...new URLSearchParams(parameter)].some(isSecretParameter)
    ? `${parameter.split('=', 1)[0]}=${USUAL_VALUE}`
    : parameter;

/** Null if it is too long. Each of its parameters is checked. */
function pathOf({ pathname, search }: URL): string | null {
  if (pathname.length + search.length > LONGEST_WITH_SECRETS) return null;
  const path = `${pathname}${search.replace(/[^?&]+/g, withoutSecret)}`;
  return path.length > MAX_URL_LENGTH ? null : path;
}

/** Called before the seeds are read, which takes longer. */
export function requireSeedsAllowed(depth: TestDepth, { urls, har }: StatedSeeds = NO_SEEDS): void {
  if (depth !== 'active' && (urls.length > 0 || har !== null))
    throw invalid(`${har === null ? 'urls' : 'har'} is for jobs with depth active only.`);
}

/** Null where there are none. Throws an error that names what is wrong. */
export async function seedsFor({ urls, har }: StatedSeeds = NO_SEEDS, target: Target): Promise<SentRequest[] | null> {
  if (urls.length === 0 && har === null) return null;
  const seeds: SentRequest[] = [];
  for await (const [at, text] of inTurns(urls.entries())) {
    const url = parseUrl(text);
    if (url === null || !isSameOrigin(url, target))
      throw invalid(`urls has an entry that is not on ${originOf(target)}, which the job tests: entry ${at + 1}.`);
    const path = pathOf(url);
    if (path === null)
      throw invalid(
        `urls has an entry that is longer than ${MAX_URL_LENGTH} characters when it is percent-encoded: entry ${at + 1}.`,
      );
    seeds.push({ path });
  }
  if (har !== null)
    for await (const entry of inTurns(entriesIn(har))) seeds.push(...(await seedsOfEntry(entry, target)));
  return onceEach(seeds);
}

/** The requests that scanners have named on the origin, up to a limit. A parameter that is not in the URL is added to it. */
export async function seedsOfImports(
  places: readonly ImportedPlace[],
  target: Target,
  most: number,
): Promise<SentRequest[]> {
  const paths = new Set<string>();
  for await (const { location, parameter } of inTurns(places)) {
    if (paths.size === most) break;
    const url = parseUrl(location.split(/\s/, 1)[0] ?? '');
    if (url === null || !isSameOrigin(url, target)) continue;
    if (parameter !== null && !url.searchParams.has(parameter)) url.searchParams.set(parameter, USUAL_VALUE);
    const path = pathOf(url);
    if (path !== null) paths.add(path);
  }
  return [...paths].map((path) => ({ path }));
}

const NOT_HAR = 'har must be the text of a HAR file, which has log.entries.';

/** The request of an entry, if it is a GET request to the origin. */
async function seedsOfEntry(entry: unknown, target: Target): Promise<SentRequest[]> {
  const request = fieldOf(entry, 'request');
  const url = parseUrl(String(fieldOf(request, 'url')));
  if (fieldOf(request, 'method') !== 'GET' || url === null || !isSameOrigin(url, target)) return [];
  const path = pathOf(url);
  if (path === null) return [];
  const stated = fieldOf(request, 'headers');
  const headers = await headersOf(Array.isArray(stated) ? stated : []);
  return [{ path, ...(headers.length > 0 && { headers }) }];
}

function entriesIn(text: string): unknown[] {
  let document: unknown;
  try {
    document = JSON.parse(text) as unknown;
  } catch {
    throw invalid(NOT_HAR);
  }
  const entries = fieldOf(fieldOf(document, 'log'), 'entries');
  if (!Array.isArray(entries)) throw invalid(NOT_HAR);
  if (entries.length > MAX_SEED_URLS)
    throw invalid(`har has ${entries.length} entries, and a job takes at most ${MAX_SEED_URLS}.`);
  return entries;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Fields of the connection, of the browser, and of credentials. */
const NOT_KEPT =
  /^(?::|host$|connection$|content-|accept-encoding$|user-agent$|upgrade-|sec-|if-|cache-control$|pragma$|referer$|te$|range$|(?:proxy-)?authorization$|x-[a-z-]*(?:key|token|auth|secret)|.*(?:key$|token|secret|passw|credential|jwt|session))/i;
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const NOT_IN_FIELD = /[^\x20-\x7e]/;

async function headersOf(stated: readonly unknown[]): Promise<(readonly [string, string])[]> {
  const headers: [string, string][] = [];
  for await (const one of inTurns(stated)) {
    const [name, value] = [String(fieldOf(one, 'name')), String(fieldOf(one, 'value'))];
    if (!FIELD_NAME.test(name) || NOT_KEPT.test(name) || NOT_IN_FIELD.test(value)) continue;
    const isCookie = name.toLowerCase() === 'cookie';
    const kept = isCookie ? withoutSessions(value) : value;
    if (kept !== '' && kept.length <= MAX_VALUE_LENGTH && !isSecret(kept)) headers.push([name, kept]);
    if (headers.length === MAX_HEADERS) break;
  }
  return headers;
}

const SESSION_NAME = /sess|sid$|^sid|auth|token|jwt|login|remember|user|csrf|xsrf|secret|credential|\.aspx/i;
/** A long value of letters and digits that looks generated. */
const SESSION_VALUE = /^(?=.*\d)(?=.*[a-z])[\w.~%+/=-]{16,}$/i;

/** The cookies that do not sign anybody in. */
const withoutSessions = (cookies: string): string =>
  cookies
    .split(/;\s*/)
    .filter((pair) => {
      const [name = '', ...value] = pair.split('=');
      return name !== '' && !SESSION_NAME.test(name) && !SESSION_VALUE.test(value.join('='));
    })
    .join('; ');

const onceEach = (seeds: readonly SentRequest[]): SentRequest[] => [
  ...new Map(seeds.map((seed) => [JSON.stringify(seed), seed])).values(),
];
