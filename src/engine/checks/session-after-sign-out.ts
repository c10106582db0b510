import { accessCheck } from '../access/access-check';

export const sessionAfterSignOut = accessCheck(
  {
    id: 'session-after-sign-out',
    title: 'Session still valid after sign-out',
    severity: 'medium',
    cwe: [613],
    owasp: ['A07:2021', 'A07:2025'],
    wstg: ['WSTG-SESS-06'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:L/A:N',
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html'],
    decides: `Opens a session of its own, sends the sign-out that a link or a form of its pages names, and presents the old cookies and tokens again. It is vulnerable if they open what only a signed-in user sees six seconds after two sign-outs, and random values do not. It is fixed when they are refused like random values, while a session that was opened afterwards is served. Without a recognized sign-out, it is not tested.`,
    text: `The sign-out only removes the cookie in the browser. Whoever has copied the id or the token, such as on a shared computer or from a
log, stays signed in.

**How to fix it.** Delete the session on the server at the sign-out. For tokens without a session on the server, keep them short, and keep
a list of those that were signed out until they end.`,
  },
  'signs in and out with an account',
);
