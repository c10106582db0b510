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
  title: 'The application reveals the version of its framework',
  severity: 'low',
  cwe: 497,
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
