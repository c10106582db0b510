import { notVulnerable, vulnerable, type WebCheck } from '../check';
import { type Page, missingPath } from '../page';

/** A product with its version, such as `nginx/1.24.0` or `Jetty(9.4.43)`, but not the names of cache nodes. */
const VERSIONED = /[a-z][\w.-]{0,40}[/( ]{1,2}v?\d{1,5}\.\d/i;

/** Constants that do not state the real version. */
const CONSTANTS = /Apache-Coyote\/1\.1|Microsoft-HTTPAPI\/\d\.\d/gi;

/** The signature at the end of generated error pages. */
const SIGNATURE = /(?<=<(?:address|center|h3)>)(?:Apache|Apache Tomcat|nginx|openresty|lighttpd)\/\d[^<]{0,200}/i;
const LOOKED_AT = 20_000;

const isVersioned = (said: string): boolean => VERSIONED.test(said.slice(0, 500).replace(CONSTANTS, ''));

const versionIn = (page: Page): string | null =>
  [...page.headers.all('server'), ...(SIGNATURE.exec(page.text.slice(-LOOKED_AT)) ?? [])].find(isVersioned) ?? null;

export const serverVersion: WebCheck = {
  id: 'server-version',
  title: 'Version disclosure: the server names its version',
  severity: 'low',
  cwe: [497],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-INFO-02'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9110#section-10.2.4',
    'https://nginx.org/en/docs/http/ngx_http_core_module.html#server_tokens',
    'https://httpd.apache.org/docs/2.4/mod/core.html#servertokens',
  ],
  decides:
    'Requests the page and a path that does not exist. It is vulnerable if a `Server` header, or the footer of the error page, contains a product with a version. It is fixed when neither does.',
  text: `The \`Server\` header, or the footer of error pages, states the software and its version. Attackers who search
for servers with a known weakness find this server in a search engine.

**How to fix it.** Turn it off: in nginx \`server_tokens off;\`, in Apache \`ServerTokens Prod\` and
\`ServerSignature Off\`, in others a setting of a similar name, or remove the header in the proxy. This hides the
version and fixes nothing else: keep the server up to date.`,
  on: 'origin',
  async observe({ page, probe }) {
    const version = versionIn(page) ?? versionIn(await probe.http({ path: missingPath() }));
    return version === null
      ? notVulnerable('neither its Server header nor its error page contains a version')
      : vulnerable(`The server states its version: ${version}.`);
  },
};
