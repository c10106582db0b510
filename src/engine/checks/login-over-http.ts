import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { asksForPassword } from '../snapshot';

export const loginOverHttp: WebCheck = {
  id: 'login-over-http',
  title: 'A login form is served over plain HTTP',
  severity: 'high',
  cwe: [523, 319],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-ATHN-01', 'WSTG-CRYP-03'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
  ],
  decides:
    'Requests the page over plain HTTP and follows redirects. It is vulnerable if the page has a password field, or the response requests HTTP Basic authentication. It is fixed when plain HTTP redirects to HTTPS or no longer asks for a password.',
  text: `Visitors enter a password on a page without encryption, so an attacker on the network can read it. An HTTPS
address in the form does not help, because the attacker can change the page.

**How to fix it.** Redirect all of plain HTTP to HTTPS, and ask for passwords over HTTPS only. Passwords that were
entered over plain HTTP may be known to attackers: have them changed.`,
  on: 'page',
  schemes: ['http'],
  control: 'followed',
  isAboutDocuments: true,
  observe({ page }) {
    if (page.url.startsWith('https:')) return notVulnerable('plain HTTP redirects to HTTPS');
    if (asksForPassword(page)) return vulnerable('The page has a password field and is served over plain HTTP.');
    const challenges = page.status === 401 ? page.headers.all('www-authenticate') : [];
    return challenges.some((challenge) => /^\s?basic\b/i.test(challenge))
      ? vulnerable('It requests a password over plain HTTP with the scheme Basic, which sends it unencrypted.')
      : notVulnerable('no page over plain HTTP asks for a password');
  },
};
