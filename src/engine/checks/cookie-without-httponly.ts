import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

export const cookieWithoutHttponly = sessionCookieCheck(
  {
    id: 'cookie-without-httponly',
    title: 'A session cookie can be read by scripts',
    severity: 'medium',
    cwe: 1004,
    text: `The cookie has no \`HttpOnly\` attribute, so every script on the page can read it: one injected script, or
one library that was tampered with, is enough to carry the session away.

**How to fix it.** Set the cookie with \`HttpOnly\`. Scripts of your own that read it should learn what they need in
another way, from the page or from a request.`,
  },
  ({ attributes }) => (attributes.has('httponly') ? null : 'has no HttpOnly attribute'),
);
