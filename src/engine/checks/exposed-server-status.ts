import { exposedFile } from '../protocols/http/exposed-file';

const APACHE = /<h1>Apache (?:Server Status for|Server Information)/i;
const NGINX = /^Active connections: {0,3}\d{1,12} {0,3}\r?\nserver accepts handled requests\r?\n/;
const PHP_FPM = /^pool: {1,20}\S{1,200}\r?\nprocess manager: {1,20}(?:static|dynamic|ondemand)\r?\n/;

export const exposedServerStatus = exposedFile(
  {
    id: 'exposed-server-status',
    title: 'The status page of the web server is public',
    severity: 'medium',
    cwe: [497],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: [
      'https://httpd.apache.org/docs/2.4/mod/mod_status.html',
      'https://nginx.org/en/docs/http/ngx_http_stub_status_module.html',
      'https://www.php.net/manual/en/fpm.status.php',
    ],
    decides:
      'Requests `/server-status`, `/nginx_status` and `/status`. It is vulnerable if a response is the status page of Apache, nginx or PHP-FPM. It is fixed when none of the paths returns one.',
    text: `The status page of the server is public. Apache's page shows all current requests: the addresses of visitors and
the requested URLs, including tokens in them. The pages of nginx and PHP-FPM show the load.

**How to fix it.** Allow it only for monitoring: in Apache \`Require local\` in its \`<Location>\`, in
nginx \`allow 127.0.0.1; deny all;\`. Behind a proxy on the same machine every visitor is local: let it listen on
another port.`,
  },
  [
    {
      path: '/server-status',
      identify: (text) => (APACHE.test(text) ? 'it is the status page of Apache' : null),
    },
    {
      path: '/nginx_status',
      identify: (text) => (NGINX.test(text) ? 'it is the status page of nginx' : null),
    },
    {
      path: '/status',
      identify: (text) => {
        if (NGINX.test(text)) return 'it is the status page of nginx';
        return PHP_FPM.test(text) ? 'it is the status page of PHP-FPM' : null;
      },
    },
  ],
);
