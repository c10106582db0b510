import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { isAddress } from '../target';

/** Half a year. Browsers would forget a shorter policy between two visits. */
const SHORTEST = 15_552_000;

/**
 * The value of the directive according to RFC 6797: the first header counts, names are case-insensitive, and the value may be
 * quoted.
 */
function maxAgeOf(field: string): number | null {
  const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d{1,15})"?\s*(?:;|$)/i.exec(field)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** RFC 6797, 6.1: a repeated directive makes the header invalid. */
function repeatsDirective(field: string): boolean {
  const names = field.split(';').flatMap((part) => part.split('=', 1)[0]?.trim().toLowerCase() || []);
  return new Set(names).size < names.length;
}

export const missingHsts: WebCheck = {
  id: 'missing-hsts',
  title: 'HTTP Strict Transport Security (HSTS) is missing or too short',
  severity: 'low',
  cwe: [319],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CONF-07'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
  references: [
    'https://www.rfc-editor.org/rfc/rfc6797',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Strict-Transport-Security',
  ],
  decides:
    'Requests the page over HTTPS. It is vulnerable if the response has no `Strict-Transport-Security` header, or one without a valid `max-age` of at least half a year. It is fixed when every response has a valid header with at least that `max-age`.',
  text: `Without a \`Strict-Transport-Security\` header a browser still accepts plain HTTP for this host: an attacker
on the network can keep a visitor on an unencrypted connection, read it and change it.

**How to fix it.** Answer every request over HTTPS, errors and redirects included, with

    Strict-Transport-Security: max-age=31536000; includeSubDomains

Start with a short \`max-age\` if you are not sure that every subdomain can be reached over HTTPS, and raise it to at least
half a year (15552000).`,
  on: 'page',
  schemes: ['https'],
  notApplicable: ({ host }) => (isAddress(host) ? 'browsers remember it for names only, not for addresses' : null),
  observe({ page }) {
    const field = page.headers.get('strict-transport-security');
    if (field === null) return vulnerable('The response has no Strict-Transport-Security header.');
    if (repeatsDirective(field))
      return vulnerable('The Strict-Transport-Security header states a directive twice, so that browsers ignore it.');
    const maxAge = maxAgeOf(field);
    if (maxAge === null) return vulnerable('The Strict-Transport-Security header has no valid max-age.');
    if (maxAge < SHORTEST)
      return vulnerable(`The max-age of Strict-Transport-Security is ${maxAge} seconds, less than half a year.`);
    return notVulnerable(`Strict-Transport-Security is set, with a max-age of ${maxAge} seconds`);
  },
};
