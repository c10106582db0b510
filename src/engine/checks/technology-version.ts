import { notVulnerable, vulnerable, type WebCheck } from '../check';
import type { HttpAnswer } from '../transport/http';
import { metaContents } from '../protocols/http/markup';

/** Header fields that frameworks and applications add by default. */
const FIELDS = [
  'x-powered-by',
  'x-aspnet-version',
  'x-aspnetmvc-version',
  'x-generator',
  'x-jenkins',
  'x-owa-version',
  'liferay-portal',
  'microsoftsharepointteamservices',
];

const VERSION = /\d\.\d/;

function versionsIn(answer: HttpAnswer): string[] {
  const fields = FIELDS.flatMap((name) => answer.headers.all(name).map((value) => `${name}: ${value}`));
  const generators = metaContents(answer.text, 'generator').map((value) => `generator: ${value}`);
  return [...fields, ...generators].filter((one) => VERSION.test(one)).map((one) => one.slice(0, 200));
}

export const technologyVersion: WebCheck = {
  id: 'technology-version',
  title: 'Version disclosure: the application names the version of its framework',
  severity: 'low',
  cwe: [497],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: ['WSTG-INFO-08'],
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.php.net/manual/en/ini.core.php#ini.expose-php',
  ],
  decides:
    'Requests the page and follows redirects. It is vulnerable if a header such as `X-Powered-By`, or the `generator` of the page, contains a version. It is fixed when none of them does.',
  text: `A header, or a \`generator\` in the page, states the framework or the application and its version. Attackers
who search for sites with a known weakness find this site in a search engine.

**How to fix it.** Turn it off: \`expose_php = Off\` for PHP, \`<httpRuntime enableVersionHeader="false" />\` and the
removal of \`X-Powered-By\` in IIS, \`remove_action('wp_head', 'wp_generator')\` in WordPress; or remove the header in
the proxy. This hides the version and fixes nothing else: keep the software up to date.`,
  on: 'page',
  control: 'followed',
  observe({ page }) {
    const versions = [...page.hops, page].flatMap(versionsIn);
    return versions.length > 0
      ? vulnerable(`It states ${[...new Set(versions)].join(', ')}.`)
      : notVulnerable('neither its headers nor the page contain a version');
  },
};
