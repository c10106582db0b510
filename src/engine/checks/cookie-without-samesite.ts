import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

const RESTRICTED = new Set(['lax', 'strict']);

export const cookieWithoutSamesite = sessionCookieCheck(
  {
    id: 'cookie-without-samesite',
    title: 'A session cookie is sent with requests from other sites',
    severity: 'low',
    cwe: 1275,
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
