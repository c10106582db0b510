import { accessCheck } from '../access/access-check';

export const functionAccess = accessCheck({
  id: 'function-access',
  title: 'Broken function level authorization',
  severity: 'medium',
  cwe: [285, 862],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-ATHZ-02'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
  ],
  decides: `Requests the pages that only the higher of two accounts links to, as the lower one and without a session, in two sessions, with GET alone. It is vulnerable if an answer shows values that an admin typed as those of the higher account, or several identifiers that no other page of the lower one has. It is fixed when the higher account is still shown them, and the lower one is refused each time and served its own on the same route.`,
  text: `The application hides a page from users who may not see it, by leaving out the link, and gives it to everyone who knows its
address. Addresses of administration are easy to guess, and scripts of the site often name them.

**How to fix it.** Check the role of the user in the handler of each route, or once for all routes below a path such as
\`/admin/\`, and refuse by default. Then check the routes that change something, which this test does not send.`,
});
