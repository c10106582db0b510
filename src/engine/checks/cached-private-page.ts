import { accessCheck } from '../access/access-check';

export const cachedPrivatePage = accessCheck({
  id: 'cached-private-page',
  title: 'Shared cache serves private pages of other users',
  severity: 'medium',
  cwe: [524],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-ATHN-06'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9111#section-3',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Cache-Control',
  ],
  decides: `Requests a page of one account as that account, and then as another one and without a session, plainly and with a query that no cache knows. It is vulnerable if the plain answer shows values of the first account in two sessions, and the other answer does not. It is fixed when no answer shows them, and the other account is served its own values at the same address.`,
  text: `A cache between the application and its users keeps a page that was made for one user, and gives it to the next one who asks
for the address. The application itself checks who asks, so its own tests do not show it.

**How to fix it.** Send \`Cache-Control: no-store\` with every response to a signed-in user, and let the cache keep no responses to
requests with a session cookie or an \`Authorization\` field. Remove what it has kept, and check rules that cache by the ending of
an address, such as \`/account.css\`.`,
});
