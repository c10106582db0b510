import type { Mutant } from '../mutant';

const pages = 'src/engine/firewall-pages.ts';
const pagesSpec = 'src/engine/firewall-pages.spec.ts';
const first = 'src/engine/initial-verification.ts';
const walls = 'src/engine/scan-walls.spec.ts';

/** What tells pages of firewalls and outages from pages and errors of the target. */
export const wallMutants: readonly Mutant[] = [
  {
    name: 'walls: a long article with the message of a firewall is a firewall',
    file: pages,
    search: 'length <= LONGEST_MESSAGE && ',
    replace: '',
    spec: pagesSpec,
    test: 'an article about it',
  },
  {
    name: 'walls: a quotation is the message of a firewall',
    file: pages,
    search: `'pre', 'code', `,
    replace: '',
    spec: pagesSpec,
    test: 'a manual that quotes it',
  },
  {
    name: 'walls: the message of a firewall with 200 is a page',
    file: pages,
    search: 'return isRefused || showsFirewallMessage(text);',
    replace: 'return isRefused;',
    spec: pagesSpec,
    test: 'F5 and NGINX App Protect is a firewall',
  },
  {
    name: 'walls: a captcha is a page wherever it is shown',
    file: pages,
    search: 'return isEverywhere ?',
    replace: 'return isEverywhere && page.status === 0 ?',
    spec: walls,
    test: 'everywhere is incomplete',
  },
  {
    name: 'walls: an error counts as missing although missing paths get none',
    file: first,
    search: 'if (!OWN_ERRORS.has(before.status) || !(await twoPagesAnswer(context))) return null;',
    replace: 'if (!(await twoPagesAnswer(context))) return asked.answer;',
    spec: walls,
    test: 'an error that missing paths do not get is one of this path',
  },
  {
    name: 'walls: an outage of all pages counts as missing',
    file: first,
    search: '|| !(await twoPagesAnswer(context))',
    replace: '',
    spec: walls,
    test: 'errors everywhere but on the page are an outage',
  },
  {
    name: 'walls: an error of a gateway counts as missing',
    file: first,
    search: 'const OWN_ERRORS = new Set([500, 501]);',
    replace: 'const OWN_ERRORS = new Set([500, 501, 502, 503, 504, 520, 530]);',
    spec: walls,
    test: '502 is an outage',
  },
  {
    name: 'walls: an error of a path that showed the weakness counts as missing',
    file: 'src/engine/scan-run.ts',
    search: 'this.known(check, locationOf(place)) === undefined ? lookFirst : assess',
    replace: 'lookFirst',
    spec: walls,
    test: 'an error of a path that showed the weakness stays one',
  },
];
