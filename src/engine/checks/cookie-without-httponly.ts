import { sessionCookieCheck } from '../protocols/http/session-cookie-check';

export const cookieWithoutHttponly = sessionCookieCheck(
  {
    id: 'cookie-without-httponly',
    title: 'Session cookie without HttpOnly',
    severity: 'medium',
    cwe: [1004],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-SESS-02'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
    references: [
      'https://www.rfc-editor.org/rfc/rfc6265',
      'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie',
    ],
    decides:
      'Requests the page, follows redirects, and reads each `Set-Cookie` header of a session cookie, recognized by its name and value. It is vulnerable if one has no `HttpOnly` attribute. It is fixed when all session cookies have it. A retest is inconclusive while another cookie of the length of a secret lacks it and may be the session.',
    text: `The cookie has no \`HttpOnly\` attribute, so every script on the page can read it: one injected script, or
one compromised library, is enough to steal the session.

**How to fix it.** Set the cookie with \`HttpOnly\`. If your own scripts read the cookie, give them the data in another
way, for example in the page or with a request.`,
  },
  ({ attributes }) => (attributes.has('httponly') ? null : 'has no HttpOnly attribute'),
);
