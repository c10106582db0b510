import { getDomain } from 'tldts';
import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { isAddress } from '../target';

/** A host that matches a pattern whose dots stand for any character. Nobody can register other top-level domains. */
const withoutDots = (host: string, domain: string): string[] =>
  [...host.slice(0, host.lastIndexOf('.')).matchAll(/\./g)]
    .map(({ index }) => `${host.slice(0, index)}x${host.slice(index + 1)}`)
    .filter((name) => getDomain(name) !== domain);

/** Foreign origins: an unrelated site, `null`, and origins that resemble the target's own. */
export function foreignOrigins(host: string): string[] {
  const domain = isAddress(host) ? null : getDomain(host);
  const starts = domain === null ? [] : [...new Set([host, domain])].map((name) => `${name}.stranger.example`);
  const lookalikes = domain === null ? [] : [...starts, `stranger${domain}`, ...withoutDots(host, domain)];
  return ['https://stranger.example', 'null', ...lookalikes.map((name) => `https://${name}`)];
}

export const corsWithCredentials: WebCheck = {
  id: 'cors-with-credentials',
  title: 'CORS: any origin may read signed-in responses',
  severity: 'high',
  cwe: [942, 346],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-CLNT-07'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:L/A:N',
  references: [
    'https://fetch.spec.whatwg.org/#http-cors-protocol',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS',
    'https://portswigger.net/web-security/cors',
  ],
  decides:
    'Requests the page with foreign `Origin` headers: an unrelated site, `null`, and names that resemble the name of the site. It is vulnerable if the response repeats that origin in `Access-Control-Allow-Origin` and sets `Access-Control-Allow-Credentials: true`. It is fixed when no such origin is allowed to read the response with credentials.',
  text: `The server allows a foreign origin to read its responses, and to send the visitor's cookies with the request.
Any page that a signed-in visitor opens can then read all data that the visitor may read.

**How to fix it.** Send \`Access-Control-Allow-Origin\` only for origins on a list. Compare the whole origin, not
its beginning or end, and never allow \`null\`. Send \`Access-Control-Allow-Credentials\` only where it is
needed. Add \`Vary: Origin\`.`,
  on: 'page',
  async observe({ target, probe }) {
    for (const origin of foreignOrigins(target.host)) {
      const { headers } = await probe.http({ headers: [['Origin', origin]], fresh: true });
      const trusts = headers.get('access-control-allow-origin')?.trim() === origin;
      if (trusts && headers.get('access-control-allow-credentials')?.trim() === 'true')
        return vulnerable(`It allows the origin ${origin} to read the response, with credentials.`);
    }
    return notVulnerable('it allows no foreign origin to read responses with credentials');
  },
};
