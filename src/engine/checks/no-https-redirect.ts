import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { redirectOf } from '../page';

export const noHttpsRedirect: WebCheck = {
  id: 'no-https-redirect',
  title: 'No redirect to HTTPS: pages are served over plain HTTP',
  severity: 'medium',
  cwe: [319],
  owasp: ['A02:2021', 'A04:2025'],
  wstg: ['WSTG-CRYP-03'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Transport_Layer_Security_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
  ],
  decides:
    'Requests the page over plain HTTP and follows redirects. It is vulnerable if a response with a 2xx status is served over plain HTTP. It is fixed when plain HTTP redirects to HTTPS or serves no page.',
  text: `The server answers plain HTTP with a page instead of sending visitors to HTTPS. An attacker
on the network can read and change everything: links, forms, downloads.

**How to fix it.** Answer every request over plain HTTP with a permanent redirect, in nginx:

    server { listen 80; return 301 https://$host$request_uri; }

and state \`Strict-Transport-Security\` over HTTPS, so that browsers no longer use plain HTTP.`,
  on: 'page',
  schemes: ['http'],
  control: 'followed',
  observe({ page }) {
    if (page.url.startsWith('https:')) return notVulnerable('plain HTTP redirects to HTTPS');
    if (redirectOf(page)?.protocol === 'https:')
      return notVulnerable('plain HTTP redirects to HTTPS on another port or host');
    return page.status >= 200 && page.status < 300
      ? vulnerable('It serves a page over plain HTTP instead of redirecting to HTTPS.')
      : notVulnerable(`it serves no page over plain HTTP (${page.status})`);
  },
};
