import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { redirectOf } from '../page';

export const noHttpsRedirect: WebCheck = {
  id: 'no-https-redirect',
  title: 'Pages are served over plain HTTP',
  severity: 'medium',
  cwe: 319,
  text: `The server answers plain HTTP with a page instead of sending visitors to HTTPS. Whoever sits between a
visitor and the server can read everything and change it: links, forms, downloads.

**How to fix it.** Answer every request over plain HTTP with a permanent redirect, in nginx:

    server { listen 80; return 301 https://$host$request_uri; }

and state \`Strict-Transport-Security\` over HTTPS, so that browsers do not even ask over HTTP again.`,
  on: 'page',
  schemes: ['http'],
  control: 'followed',
  observe({ page }) {
    if (page.url.startsWith('https:')) return notVulnerable('plain HTTP leads to HTTPS');
    if (redirectOf(page)?.protocol === 'https:')
      return notVulnerable('plain HTTP leads to HTTPS on another port or host');
    return page.status >= 200 && page.status < 300
      ? vulnerable('It answers with a page over plain HTTP, and does not lead to HTTPS.')
      : notVulnerable(`it serves no page over plain HTTP (${page.status})`);
  },
};
