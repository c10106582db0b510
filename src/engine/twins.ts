import { randomInt } from 'node:crypto';
import { isWebCheck, type Check } from './check';
import { statesPassword, withWrongPassword } from './denied-password';
import { missingPath, missingSiblingOf } from './page';
import type { ProbeRequest } from './probe';
import type { AnsweredRequest } from './answered-request';

/**
 * A request that cannot have the weakness, and is else like the one that may: if both get the same kind of answer, the weakness
 * is absent. `file`: a missing name beside it, with the same extension. `method`: the same request to a missing path. `listing`: a
 * file in the folder, or a folder that does not exist. `parameter`: a harmless value of the same length. `redirect`: a path of
 * the site. `password`: a wrong one. `account`: the other account's own object on the same route, in the same series of requests;
 * here the refusal is the fix, as access/access-verdict.ts decides. Of sessions it
 * is a made-up token or id, as sessions/session-verdict.ts decides. `positive`: the answer itself shows that the weakness is not there, so there is none.
 */
export type TwinKind = 'file' | 'method' | 'listing' | 'parameter' | 'redirect' | 'password' | 'account' | 'positive';

const GROUPS: Readonly<Record<Exclude<TwinKind, 'password'>, string>> = {
  file: `
    actuator-health-details exposed-actuator exposed-archive exposed-credentials exposed-database-dump exposed-debugger
    exposed-deployment-file exposed-ds-store exposed-env exposed-git exposed-htpasswd exposed-lock-file exposed-log
    exposed-metrics exposed-page-source exposed-php-source exposed-phpinfo exposed-pprof exposed-private-key
    exposed-profiler exposed-server-status exposed-shell-history exposed-source-map exposed-svn exposed-wp-config
    permissive-crossdomain-policy public-openapi`,
  method: 'graphql-introspection',
  listing: 'directory-listing',
  parameter: `
    command-injection dns-lookup-of-input header-injection path-traversal reflected-input server-side-request-forgery
    sql-injection stored-html-injection stored-xss template-injection`,
  redirect: 'open-redirect',
  account: `
    object-access function-access cached-private-page
    cross-site-request-forgery unverified-jwt session-id-in-url session-fixation session-after-sign-out`,
  // What a page, its fields or cookies, a certificate, a handshake or a record states, or a service in its own protocol.
  positive: `
    cookie-without-httponly cookie-without-samesite cookie-without-secure cors-with-credentials debug-error-pages
    insecure-form login-over-http missing-frame-protection missing-hsts missing-nosniff no-https-redirect server-version
    technology-version unsafe-referrer-policy weak-csp
    expired-certificate expiring-certificate mismatched-certificate premature-certificate untrusted-certificate
    weak-certificate-key weak-certificate-signature weak-tls-cipher weak-tls-protocol
    dangling-cname missing-caa missing-dmarc missing-spf unenforced-dmarc
    anonymous-ftp open-elasticsearch open-memcached open-mongodb open-redis`,
};

/** The twin of each built-in check. Those of templates depend on the request. */
export const TWINS: ReadonlyMap<string, TwinKind> = new Map(
  Object.entries(GROUPS).flatMap(([kind, ids]) =>
    ids
      .trim()
      .split(/\s+/)
      .map((id) => [id, kind as TwinKind] as const),
  ),
);

/** A value with such characters is a payload. */
const SPECIAL = /[^\w.~-]|\.\./;

const valuesOf = (path: string): readonly string[] => path.split('?').slice(1).join('?').split('&');

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
};

const hasPayload = (field: string): boolean => SPECIAL.test(decoded(field.slice(field.indexOf('=') + 1)));

export function twinKindOf(check: Check, { path, request }: Pick<AnsweredRequest, 'path' | 'request'>): TwinKind {
  const known = isWebCheck(check) ? TWINS.get(check.id) : 'positive';
  if (known !== undefined) return known;
  if (statesPassword(request)) return 'password';
  const { method = 'GET', body } = request;
  if (method !== 'GET' || body !== undefined) return 'method';
  return valuesOf(path).some(hasPayload) ? 'parameter' : 'file';
}

const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const randomOf = (characters: string): string => characters.charAt(randomInt(characters.length));

/** A random word that is in no language and that no filter looks for. */
export const randomWord = (length = 9): string => Array.from({ length }, () => randomOf(CONSONANTS)).join('');

/** A value of the same length, in which digits are replaced by digits and all other characters by letters. */
export const harmlessLike = (value: string): string =>
  value.replaceAll(/[\s\S]/g, (sign) => randomOf(/\d/.test(sign) ? '123456789' : CONSONANTS));

/** The path with its payloads replaced by other values. */
function withValues(path: string, write: (value: string) => string): string {
  const [start = ''] = path.split('?', 1);
  const fields = valuesOf(path).map((field) => {
    const at = field.indexOf('=') + 1;
    return hasPayload(field) ? `${field.slice(0, at)}${encodeURIComponent(write(decoded(field.slice(at))))}` : field;
  });
  return `${start}?${fields.join('&')}`;
}

/** The request of the twin; null if there can be none. */
export function twinRequest(kind: TwinKind, { path, request }: AnsweredRequest): ProbeRequest | null {
  const { method, headers, body, submits } = request;
  const same = { method, headers, body, ...(submits && { submits }) };
  const [own = '/'] = path.split('?', 1);
  if (kind === 'parameter') return { ...same, path: withValues(path, harmlessLike) };
  if (kind === 'redirect') return { ...same, path: withValues(path, missingPath) };
  if (kind === 'password') return withWrongPassword({ ...same, path });
  // What is submitted is sent to no other path.
  if (submits !== undefined) return null;
  if (kind === 'listing') return { ...same, path: `${missingSiblingOf(own.replace(/\/$/, ''))}/` };
  return kind === 'positive' || kind === 'account'
    ? null
    : { ...same, path: `${missingSiblingOf(own)}${path.slice(own.length)}` };
}

/** Twins with the same key are interchangeable. */
export function twinKeyOf(
  kind: TwinKind,
  { path, request: { method = 'GET', headers, body } }: AnsweredRequest,
): string {
  const [own = '/'] = path.split('?', 1);
  const [, folder = '/', name = ''] = /^(.*\/)([^/]*)$/.exec(own) ?? [];
  const [ending = ''] = /(?<=.)\.[^.]*$/.exec(name) ?? [];
  const place = kind === 'file' || kind === 'method' ? [folder, name.startsWith('.'), ending] : [own];
  return JSON.stringify([kind, method, ...place, path.slice(own.length), headers, body]);
}
