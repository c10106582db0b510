import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

export const cookieWithoutSecure = sessionCookieCheck(
  {
    id: 'cookie-without-secure',
    title: 'A session cookie is also sent over plain HTTP',
    severity: 'medium',
    cwe: 614,
    text: `The cookie has no \`Secure\` attribute, so a browser adds it to plain HTTP requests to this host as well.
An attacker on the network needs one such request, which an image on any page can cause, to take over the session.

**How to fix it.** Set the cookie with \`Secure\`, preferably with the \`__Host-\` prefix, for which browsers require it:

    Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`,
    schemes: ['https'],
  },
  ({ attributes }) => (attributes.has('secure') ? null : 'has no Secure attribute'),
);
