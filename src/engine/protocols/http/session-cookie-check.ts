import { inconclusive, notVulnerable, vulnerable, type WebCheck } from '../../check';
import { isFromCache, MOST_HOPS, type Page } from '../../page';
import type { HttpAnswer } from '../../transport/http';

export interface Cookie {
  readonly name: string;
  /** By lower-case name; the value of a flag is empty. */
  readonly attributes: ReadonlyMap<string, string>;
  /**
   * Whether its name shows that it opens a session. If not, it may still do so, because its value is long enough to be a secret.
   */
  readonly isSession: boolean;
}

/** Names of session cookies in frameworks. */
const KNOWN: readonly RegExp[] = [
  /^(?:php|j|asp\.net_)?sess(?:ion)?[._-]?id(?:sso)?$/,
  /^aspsessionid[a-z]{8}$/,
  /^(?:connect\.|express\.|sails\.)?sid$/,
  /^(?:laravel_|ci_|play_)?session$/,
  /^moodlesession[a-z\d]{0,20}$/,
  /^s?sess[\da-f]{32}$/,
  /^remember_[a-z]{1,20}_[\da-f]{40}$/,
  /^wordpress_(?:logged_in|sec)_[\da-f]{32}$/,
  /^\.asp(?:xauth|netcore\.(?:session|cookies|identity\.application))$/,
];

/** Names that applications use for sessions and for other things. They count if the value is long enough to be a secret. */
const LIKELY = /(?:^|[._-])(?:session|jwt|(?:session|auth|access|refresh|id|remember)[._-]?token)$/;
const SHORTEST_SECRET = 16;
const MOST_NAMES = 50;

/** Analytics and load balancer cookies with similar names. */
const NOT_SESSIONS = /^(?:ai_|_?hj|_?ga|mp_|amp_|incap_|visid_)/;
/**
 * Other analytics and balancer cookies, tokens that scripts must read, and consents. Only their values look like those of
 * sessions.
 */
const NO_SECRETS =
  /[cx]srf|verificationtoken|antiforgery|consent|affinity|^(?:aws(?:alb|elb)|bigipserver|nsc_|nlbi_|ts[\da-f]{6,}$|__cf|cf_|_?g(?:id|cl)|_fb|_abck|ak_bmsc|bm_|_px|datadome|optanon|ajs_|_cl(?:ck|sk)|intercom-|hubspotutk|__hs|_pk_)/;

/** Whether a cookie opens a session; null if it certainly does not. */
function opensSession(name: string, value: string): boolean | null {
  const bare = name.toLowerCase().replace(/^__(?:host|secure)-/, '');
  if (NOT_SESSIONS.test(bare)) return null;
  if (KNOWN.some((pattern) => pattern.test(bare))) return true;
  if (value.length < SHORTEST_SECRET) return null;
  return LIKELY.test(bare) ? true : NO_SECRETS.test(bare) ? null : false;
}

/** Whether the header deletes a cookie instead of setting it. */
function removes(value: string, attributes: Cookie['attributes']): boolean {
  const [maxAge, expires] = [attributes.get('max-age'), attributes.get('expires')];
  if (value === '') return true;
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

function cookieOf(field: string): Cookie[] {
  const [pair = '', ...rest] = field.split(';');
  const [name = '', ...parts] = pair.split('=');
  const value = parts.join('=').trim();
  const attributes = new Map(
    rest.map((part) => {
      const [attribute = '', ...stated] = part.split('=');
      return [attribute.trim().toLowerCase(), stated.join('=').trim().toLowerCase()];
    }),
  );
  const isSession = opensSession(name.trim(), value);
  return isSession === null || removes(value, attributes)
    ? []
    : [{ name: name.trim().slice(0, 100), attributes, isSession }];
}

/** The cookies that open a session, or may open one. */
export const cookiesOf = (answer: HttpAnswer): Cookie[] => answer.headers.all('set-cookie').flatMap(cookieOf);

type About = Omit<WebCheck, 'on' | 'control' | 'observe'>;

const allOf = (page: Page): Cookie[] => [...page.hops, page].flatMap(cookiesOf);

/** A check of the session cookies that the page and the redirects to it set; `fault` says what is wrong. */
export function sessionCookieCheck(about: About, fault: (cookie: Cookie) => string | null): WebCheck {
  const faultsOf = (cookies: readonly Cookie[]): string =>
    [...new Set(cookies.map((cookie) => `${cookie.name} ${fault(cookie)}`))].join(', ');
  return {
    ...about,
    on: 'page',
    control: 'followed',
    namesIn: (page) =>
      allOf(page)
        .map(({ name }) => name)
        .slice(0, MOST_NAMES),
    async observe({ page, probe, names }) {
      const shown = allOf(page);
      // A cache stores the page without its cookies, so the page is requested again without the cache.
      const isKept = !shown.some(({ isSession }) => isSession) && isFromCache(page);
      const cookies = isKept ? allOf(await probe.http({ hops: MOST_HOPS, fresh: true })) : shown;
      const sessions = cookies.filter(({ isSession }) => isSession);
      const faulty = cookies.filter((cookie) => fault(cookie) !== null);
      const proved = faulty.filter(({ isSession }) => isSession);
      if (proved.length > 0) return vulnerable(`The cookie ${faultsOf(proved)}.`);
      // With a session cookie present, cookies that the baseline already had are not sessions. Earlier versions did not store
      // names.
      const isNew = ({ name }: Cookie): boolean =>
        sessions.length === 0 || (names?.[0] !== undefined && !names.includes(name));
      const doubtful = names === null ? [] : faulty.filter(isNew);
      if (doubtful.length > 0)
        return inconclusive(`it sets a cookie that may open a session under another name: ${faultsOf(doubtful)}`);
      const correct = sessions.map(({ name }) => name).join(', ');
      return notVulnerable(correct === '' ? 'it sets no session cookie' : `it sets ${correct} correctly`);
    },
  };
}
