import { accessCheck } from '../access/access-check';

export const sessionFixation = accessCheck(
  {
    id: 'session-fixation',
    title: 'Session fixation: the session ID is not renewed at sign-in',
    severity: 'medium',
    cwe: [384],
    owasp: ['A07:2021', 'A07:2025'],
    wstg: ['WSTG-SESS-03'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:L/A:N',
    references: ['https://owasp.org/www-community/attacks/Session_fixation'],
    decides: `Visits the site, signs in with the cookies of that visit, and presents the session cookie from before the sign-in alone. Where a visitor has none, it presents one of its own. It is vulnerable if that value opened nothing before, opens what only a signed-in user sees in two sign-ins, and a random value does not. It is fixed when it is refused like a random value, while the new session is served.`,
    text: `The id of a visitor stays the same when the visitor signs in. Someone who knows or has set that id before, on a shared computer or
from a subdomain, is signed in as that user.

**How to fix it.** Give out a new id at each sign-in and delete the old session: \`session_regenerate_id(true)\` in PHP,
\`req.session.regenerate()\` in Express, \`request.changeSessionId()\` in servlets. Do not accept ids that the application has not
issued.`,
  },
  'signs in again with an account',
);
