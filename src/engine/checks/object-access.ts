import { accessCheck } from '../access/access-check';

export const objectAccess = accessCheck({
  id: 'object-access',
  title: 'Broken object level authorization (IDOR)',
  severity: 'medium',
  cwe: [639, 862],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-ATHZ-04'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Insecure_Direct_Object_Reference_Prevention_Cheat_Sheet.html',
  ],
  decides: `Requests the objects of one account, which its own pages name, as another account and without a session, in two sessions, with GET alone. It is vulnerable if an answer shows values that an admin typed as the owner's alone, or identifiers that only the owner is shown, and an id that does not exist does not. It is fixed when the owner is still shown them, the other account is refused each time in a proved session, and is served its own object on the same route.`,
  text: `The application gives an object to whoever asks for its id, without looking at whose it is. Users read what belongs to
others by changing a number or an id in an address, and a program can read all of it.

**How to fix it.** Look up each object together with the user of the session, such as
\`SELECT … WHERE id = $1 AND owner_id = $2\`, in one place that all routes of the object use, and answer 404 for what is not theirs.
Ids that cannot be guessed are no replacement: they are in logs, links and histories. Check the routes that change and delete the
object too, which this test does not send.`,
});
