import { isAboutPoint, observePoint } from '../active/active-check';
import { addressesElsewhere, isOn, mayLeadTo, placesOf, redirectElsewhere } from '../active/oracles/redirect-elsewhere';
import { inconclusive, notVulnerable, vulnerable, type WebCheck } from '../check';
import { MOST_HOPS, type Page } from '../page';
import { isResponseToInput } from '../protocols/http/input-response';

/** Below a domain that is reserved for examples, so nobody owns it. */
const LABEL = 'assay-redirect';
const ELSEWHERE = `${LABEL}.example`;
/** A link without a scheme passes filters that look for `https:`. */
const VALUES = [`https://${ELSEWHERE}/`, `//${ELSEWHERE}/`];

const NAMES = `
  next url uri u to go goto target dest destination continue forward out redirect redirect_url
  redirect_uri redirect_to redirectUrl redir return return_url return_to returnUrl returnTo back
  link ref r
`
  .trim()
  .split(/\s+/);
const KNOWN_NAMES: ReadonlySet<string> = new Set(NAMES.map((name) => name.toLowerCase()));
const ADDRESS = /^(?:https?:|\/)/i;
const MAX_LINKS = 6;

/**
 * The link with another address in each parameter that contains one; null if none does. Each address ends with the name of its
 * parameter, so that it is recognized.
 */
function withValue(link: URL, value: string): string | null {
  const parameters = new URLSearchParams(link.search);
  const names = [...new Set(parameters.keys())].filter(
    (name) => KNOWN_NAMES.has(name.toLowerCase()) || ADDRESS.test(parameters.get(name) ?? ''),
  );
  for (const name of names) parameters.set(name, `${value}${names.length > 1 ? name : ''}`);
  return names.length === 0 ? null : `${link.pathname}?${parameters}`;
}

const withAllNames = (path: string): string =>
  `${path}?${new URLSearchParams(NAMES.map((name) => [name, `${VALUES[0]}${name}`]))}`;

const queryOf = (path: string): URLSearchParams => new URLSearchParams(path.split('?', 2)[1]);

/** The names of the parameters that contain our address. */
const parametersIn = (path: string): string[] =>
  [...queryOf(path)].filter(([, value]) => value.includes(LABEL)).map(([name]) => name);

const leadsElsewhere = (answer: Page, host = ELSEWHERE): URL | undefined =>
  placesOf(answer).find((place) => isOn(place, host));

/** The variants of a finding's request that an incomplete fix may let through, by path. The value is the host they lead to. */
function furtherOf(seen: string, target: string): Map<string, string> {
  const requests = addressesElsewhere(LABEL, target).map(({ value, host }): [string, string] => {
    const parameters = queryOf(seen);
    for (const name of parametersIn(seen)) parameters.set(name, value);
    return [`${seen.split('?', 1)[0]}?${parameters}`, host];
  });
  return new Map(requests);
}

/** The request with our address only in the parameter that decides where the response leads; null if that is not known. */
function withOneOf(path: string, { pathname }: URL): string | null {
  const names = parametersIn(path);
  const parameters = queryOf(path);
  if (names.length < 2 || !names.includes(pathname.slice(1))) return null;
  for (const name of names) if (name !== pathname.slice(1)) parameters.delete(name);
  return `${path.split('?', 1)[0]}?${parameters}`;
}

function pathsOf(links: readonly URL[]): string[] {
  const paths = VALUES.map((value) => new Set(links.flatMap((link) => withValue(link, value) ?? [])));
  return paths.flatMap((each) => [...each].slice(0, MAX_LINKS));
}

/** How fixed sites usually treat an address that they refuse. */
const leadsHome = ({ hops, status, url }: Page): boolean =>
  hops.length > 0 && status < 300 && new URL(url).pathname === '/';

export const openRedirect: WebCheck = {
  id: 'open-redirect',
  title: 'Open redirect',
  severity: 'medium',
  cwe: [601],
  owasp: ['A01:2021', 'A01:2025'],
  wstg: ['WSTG-CLNT-04'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:N/I:L/A:N',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
    'https://portswigger.net/kb/issues/00500100_open-redirection-reflected',
  ],
  decides: `Requests the page and \`/redirect\` with usual parameters such as \`next\` and \`url\`, and up to six links of the site with such parameters, each with an address of another site as the value. It is vulnerable if a response redirects to that site, also with \`Refresh\`, a \`meta\` tag or a script. It is fixed when no response does, or has the address in a script or an attribute, in any spelling. The test of a single parameter sends a random host name in it in several spellings, and in another parameter, which must not lead there. Cookies and headers are not tested: no link carries them.`,
  text: `A link of this site can lead to any other site. Attackers send such links in mails: the reader sees the trusted name, and
lands on a page that asks for a password. Links with tokens in them may give these tokens away.

**How to fix it.** Redirect to paths of your own site only. Resolve the value as a browser does and compare the origin of
the result: \`//other.example\` and \`/\\\\other.example\` are other sites too. If other sites are necessary, keep a list of
them, or show a page that names the other site.`,
  on: 'page',
  parametersIn,
  needsLink: true,
  appliesTo: redirectElsewhere.appliesTo,
  async observe(subject) {
    if (isAboutPoint(subject) || subject.target.parameter !== undefined)
      return observePoint(subject, redirectElsewhere);
    const { target, page, probe, links, seen, isRepeat } = subject;
    const usual = [target.path, ...(target.path === '/' ? ['/redirect'] : [])].map(withAllNames);
    // The request of the finding is tested with every value, because a filter may let only one of them through.
    const candidates = seen === null ? await links() : [new URL(seen, page.url)];
    const further = seen === null || isRepeat ? new Map<string, string>() : furtherOf(seen, target.host);
    const ofFinding = new Set(seen === null ? [] : [seen, ...pathsOf(candidates), ...further.keys()]);
    const paths = new Set([...ofFinding, ...usual, ...pathsOf(candidates)]);
    let doubt: string | null = null;
    for (const path of paths) {
      const answer = await probe.http({ path, hops: MOST_HOPS, reach: 'origin' });
      const host = further.get(path) ?? ELSEWHERE;
      const to = leadsElsewhere(answer, host);
      if (to !== undefined) {
        const alone = seen === null ? withOneOf(path, to) : null;
        const isEnough =
          alone !== null &&
          leadsElsewhere(await probe.http({ path: alone, hops: MOST_HOPS, reach: 'origin' })) !== undefined;
        if (alone !== null && !isEnough) probe.markAsDecisive(path);
        return vulnerable(`${path.split('?', 1)[0]} redirects to the address in its query.`);
      }
      if (mayLeadTo(answer, host)) {
        if (ofFinding.has(path)) doubt ??= `a script of ${path.split('?', 1)[0]} may lead to the address in its query`;
      } else if (leadsHome(answer) || (await isResponseToInput(answer, page, LABEL, seen === null)))
        probe.markAsGenuine(answer);
    }
    return doubt === null ? notVulnerable('no response redirects to an address in its query') : inconclusive(doubt);
  },
};
