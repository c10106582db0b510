import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

const RESTRICTED = new Set(['lax', 'strict']);

export const cookieWithoutSamesite = sessionCookieCheck(
  {
    id: 'cookie-without-samesite',
    title: 'Session cookie without SameSite',
    severity: 'low',
    cwe: [1275],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-SESS-02', 'WSTG-SESS-05'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: [
      'https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/',
      'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
    ],
    decides:
      'Requests the page, follows redirects, and reads each `Set-Cookie` header of a session cookie, recognized by its name and value. It is vulnerable if one has neither `SameSite=Lax` nor `SameSite=Strict`. It is fixed when all session cookies have one of them. A retest is inconclusive while another cookie of the length of a secret lacks it and may be the session.',
    text: `The cookie has no \`SameSite\` attribute, or a value that allows all sites: another site can make a
visitor's browser send requests with the visitor's session (cross-site request forgery). Not every browser assumes
\`Lax\` by itself.

**How to fix it.** Set the cookie with \`SameSite=Lax\`, or \`Strict\` where visitors who come from another site
need no session. If the site must work within frames of others, \`SameSite=None; Secure\` is needed: then every request
that changes something has to carry a token of its own, and this finding is a risk to accept.`,
  },
  ({ attributes }) => {
    const sameSite = attributes.get('samesite') ?? '';
    if (RESTRICTED.has(sameSite)) return null;
    return sameSite === '' ? 'has no SameSite attribute' : `has SameSite=${sameSite.slice(0, 20)}`;
  },
);
