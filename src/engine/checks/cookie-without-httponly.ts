import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

export const cookieWithoutHttponly = sessionCookieCheck(
  {
    id: 'cookie-without-httponly',
    title: 'A session cookie can be read by scripts',
    severity: 'medium',
    cwe: 1004,
    text: `The cookie has no \`HttpOnly\` attribute, so every script on the page can read it: one injected script, or
one compromised library, is enough to steal the session.

**How to fix it.** Set the cookie with \`HttpOnly\`. If your own scripts read the cookie, give them the data in another
way, for example in the page or with a request.`,
  },
  ({ attributes }) => (attributes.has('httponly') ? null : 'has no HttpOnly attribute'),
);
