import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { asksForPassword } from '../snapshot';

export const loginOverHttp: WebCheck = {
  id: 'login-over-http',
  title: 'Passwords are asked for over plain HTTP',
  severity: 'high',
  cwe: 523,
  text: `Visitors are asked for a password on a connection without encryption: whoever sits on the way reads it. That
the form is sent to an HTTPS address does not help, because the page that asks can be changed on the way.

**How to fix it.** Redirect all of plain HTTP to HTTPS, and let nothing ask for a password before that. Passwords
that were entered over plain HTTP may have been read: have them changed.`,
  on: 'page',
  schemes: ['http'],
  control: 'followed',
  observe({ page }) {
    if (page.url.startsWith('https:'))
      return notVulnerable('plain HTTP leads to HTTPS, and what is asked there is encrypted');
    if (asksForPassword(page)) return vulnerable('The page has a field for a password and comes over plain HTTP.');
    const challenges = page.status === 401 ? page.headers.all('www-authenticate') : [];
    return challenges.some((challenge) => /^\s?basic\b/i.test(challenge))
      ? vulnerable('Over plain HTTP it asks for a password with the scheme Basic, which sends it as it is.')
      : notVulnerable('no password is asked for over plain HTTP');
  },
};
