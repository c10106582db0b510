import { notVulnerable, vulnerable, type WebCheck } from '../../check';
import { isFromCache, MOST_HOPS, type Page } from '../../page';
import type { HttpAnswer } from '../../transport/http';

export interface Cookie {
  readonly name: string;
  /** By name in lower case; the value of a flag is empty. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Names that frameworks give to what lets its bearer in. */
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

/** Names that applications give to it, and to other things: it counts if its value is long enough to be a secret. */
const LIKELY = /(?:^|[._-])(?:session|jwt|(?:session|auth|access|refresh|id|remember)[._-]?token)$/;
const SHORTEST_SECRET = 16;

/** Analytics and balancers whose names look like it. */
const NOT_SESSIONS = /^(?:ai_|_?hj|_?ga|mp_|amp_|incap_|visid_)/;

function opensSession(name: string, value: string): boolean {
  const bare = name.toLowerCase().replace(/^__(?:host|secure)-/, '');
  if (NOT_SESSIONS.test(bare)) return false;
  return KNOWN.some((pattern) => pattern.test(bare)) || (value.length >= SHORTEST_SECRET && LIKELY.test(bare));
}

/** Whether the field takes a cookie away instead of setting it. */
function removes(value: string, attributes: Cookie['attributes']): boolean {
  const [maxAge, expires] = [attributes.get('max-age'), attributes.get('expires')];
  if (value === '') return true;
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return expires !== undefined && Date.parse(expires) <= Date.now();
}

function sessionCookieOf(field: string): Cookie[] {
  const [pair = '', ...rest] = field.split(';');
  const [name = '', ...parts] = pair.split('=');
  const value = parts.join('=').trim();
  const attributes = new Map(
    rest.map((part) => {
      const [attribute = '', ...stated] = part.split('=');
      return [attribute.trim().toLowerCase(), stated.join('=').trim().toLowerCase()];
    }),
  );
  const counts = opensSession(name.trim(), value) && !removes(value, attributes);
  return counts ? [{ name: name.trim(), attributes }] : [];
}

export const sessionCookiesOf = (answer: HttpAnswer): Cookie[] =>
  answer.headers.all('set-cookie').flatMap(sessionCookieOf);

type About = Omit<WebCheck, 'on' | 'control' | 'observe'>;

const cookiesOf = (page: Page): Cookie[] => [...page.hops, page].flatMap(sessionCookiesOf);

/** A check of the cookies that open a session, on the page and on the way to it; `fault` says what is wrong. */
export function sessionCookieCheck(about: About, fault: (cookie: Cookie) => string | null): WebCheck {
  return {
    ...about,
    on: 'page',
    control: 'followed',
    async observe({ page, probe }) {
      const shown = cookiesOf(page);
      // A cache stores the page without its cookies, so the page is requested again.
      const isKept = shown.length === 0 && isFromCache(page);
      const cookies = isKept ? cookiesOf(await probe.http({ hops: MOST_HOPS, fresh: true })) : shown;
      const faults = cookies.flatMap((cookie) => {
        const found = fault(cookie);
        return found === null ? [] : [`${cookie.name.slice(0, 100)} ${found}`];
      });
      if (faults.length > 0) return vulnerable(`The cookie ${[...new Set(faults)].join(', ')}.`);
      const names = cookies.map(({ name }) => name.slice(0, 100)).join(', ');
      return notVulnerable(names === '' ? 'it sets no session cookie' : `it sets ${names} correctly`);
    },
  };
}
