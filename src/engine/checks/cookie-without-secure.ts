import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

export const cookieWithoutSecure = sessionCookieCheck(
  {
    id: 'cookie-without-secure',
    title: 'Session cookie without Secure',
    severity: 'medium',
    cwe: [614],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-SESS-02'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    references: [
      'https://www.rfc-editor.org/rfc/rfc6265',
      'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
    ],
    decides:
      'Requests the page over HTTPS, follows redirects, and reads each `Set-Cookie` header of a session cookie, recognized by its name and value. It is vulnerable if one has no `Secure` attribute. It is fixed when all session cookies have it. A retest is inconclusive while another cookie of the length of a secret lacks it and may be the session.',
    text: `The cookie has no \`Secure\` attribute, so a browser adds it to plain HTTP requests to this host as well.
An attacker on the network needs one such request, which an image on any page can cause, to take over the session.

**How to fix it.** Set the cookie with \`Secure\`, preferably with the \`__Host-\` prefix, for which browsers require it:

    Set-Cookie: __Host-session=…; Path=/; Secure; HttpOnly; SameSite=Lax`,
    schemes: ['https'],
  },
  ({ attributes }) => (attributes.has('secure') ? null : 'has no Secure attribute'),
);
