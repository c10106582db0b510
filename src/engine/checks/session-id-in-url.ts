import { accessCheck } from '../access/access-check';

export const sessionIdInUrl = accessCheck(
  {
    id: 'session-id-in-url',
    title: 'Session ID accepted in the URL',
    severity: 'low',
    cwe: [598],
    owasp: ['A07:2021', 'A07:2025'],
    wstg: ['WSTG-SESS-04'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
    references: ['https://www.php.net/manual/en/session.configuration.php#ini.session.use-only-cookies'],
    decides: `Requests the page that proves the session of an account without cookies, with the id of the session in the query or as a parameter of the path (\`;jsessionid=\`), and with a random id at the same place. It is vulnerable if the id of the session opens the page twice, at once or by a redirect, and the random one does not. It is fixed when both get the same answer, between requests with the genuine cookie.`,
    text: `Addresses are in histories, bookmarks, logs and the \`Referer\` field. Whoever reads one with the id of a session has that
session, and a link with an id of the sender's choice can fix the session of a visitor.

**How to fix it.** Accept the id from cookies alone: \`session.use_only_cookies = 1\` in PHP, \`<tracking-mode>COOKIE</tracking-mode>\` for
Java servlets, \`cookieless="UseCookies"\` in ASP.NET.`,
  },
  'presents the session of an account in addresses',
);
