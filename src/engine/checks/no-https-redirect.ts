import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { redirectOf } from '../page';

export const noHttpsRedirect: WebCheck = {
  id: 'no-https-redirect',
  title: 'Pages are served over plain HTTP',
  severity: 'medium',
  cwe: 319,
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
