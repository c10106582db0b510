import { notVulnerable, vulnerable, type WebCheck } from '../check';
import type { Page } from '../page';
import type { Probe } from '../probe';
import { isResponseToInput } from '../protocols/http/input-response';
import { type Reflection, reflectionOf } from '../protocols/http/reflection';

/** No element of HTML, so that it does nothing in a browser. */
const MARKER = 'assay-input-7d1f4c';
/** Together, because some pages make `</` harmless in scripts and nothing else. */
const ELEMENT = `<${MARKER}></${MARKER}>`;
const QUOTES = `'"`;
const SENT = { name: MARKER, quotes: QUOTES, element: ELEMENT };
const VALUE = `${MARKER}${QUOTES}${ELEMENT}`;

const NAMES = `
  q s search query keyword term id name title page lang category tag message msg error text user
  email filter sort view p
`
  .trim()
  .split(/\s+/);
const MAX_PARAMETERS = 10;
const HTML = /^\s?(?:text\/html|application\/xhtml\+xml)\b/i;
const SEARCHED_CHARACTERS = 300_000;

function reflectionIn(page: Page): Reflection {
  const isShown = (page.status < 300 || page.status >= 400) && HTML.test(page.headers.get('content-type') ?? '');
  return isShown ? reflectionOf(page.text.slice(0, SEARCHED_CHARACTERS), SENT) : { kind: 'none' };
}

const inQuery = (value: string): string => new URLSearchParams({ value }).toString().slice('value='.length);
const inPath = (value: string): string => encodeURIComponent(value).replaceAll('%2F', '/');

/** The path with the end of a comment or of an element with text before our element; null if our value is not in it. */
function pathToLeave(path: string, end: string): string | null {
  const value = `${MARKER}${QUOTES}${end}${ELEMENT}`;
  const changed = path.replaceAll(inQuery(VALUE), inQuery(value)).replaceAll(inPath(VALUE), inPath(value));
  return changed === path ? null : changed;
}

/** Requests a path with our value. What encloses it in the page is ended with a second request. */
async function requestReflection(
  path: string,
  probe: Probe,
): Promise<{ readonly isActive: boolean; readonly answers: readonly Page[] }> {
  const answer = await probe.http({ path, fresh: true });
  const reflection = reflectionIn(answer);
  if (reflection.kind !== 'enclosed') return { isActive: reflection.kind === 'active', answers: [answer] };
  const leaving = pathToLeave(path, reflection.end);
  if (leaving === null) return { isActive: false, answers: [answer] };
  const second = await probe.http({ path: leaving, fresh: true });
  return { isActive: reflectionIn(second).kind === 'active', answers: [answer, second] };
}

/** Each parameter of the links with our value, one at a time. */
function pathsOf(links: readonly URL[]): string[] {
  const paths = new Map<string, string>();
  for (const { pathname, search } of links)
    for (const name of new Set(new URLSearchParams(search).keys())) {
      const parameters = new URLSearchParams(search);
      parameters.set(name, VALUE);
      if (!paths.has(`${pathname} ${name}`)) paths.set(`${pathname} ${name}`, `${pathname}?${parameters}`);
    }
  return [...paths.values()].slice(0, MAX_PARAMETERS);
}

export const reflectedInput: WebCheck = {
  id: 'reflected-input',
  title: 'A page repeats input as HTML',
  severity: 'medium',
  cwe: [79],
  owasp: ['A03:2021', 'A05:2025'],
  wstg: ['WSTG-INPV-01'],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  references: [
    'https://owasp.org/www-community/attacks/xss/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
  ],
  decides:
    'Requests the page with usual parameters such as `q` and `search`, a missing path, and up to ten parameters in links of the site, each with an element that HTML does not have as the value. It is vulnerable if a browser would read the value in an HTML page as an element, as an attribute or as code of a script; if it is in a comment or in text such as that of a `textarea`, a second request tries to end it. It is fixed when no response does. Forms are not submitted.',
  text: `A page shows what is in its address without escaping it. An attacker who gets a visitor to open a link can run scripts in
this site: they read what the visitor sees, and act in the visitor's name (cross-site scripting).

**How to fix it.** Escape every value where it is put into the page, with the functions of your template engine, and
never assemble HTML from strings. A Content Security Policy without \`unsafe-inline\` limits the damage of the next case.`,
  on: 'page',
  async observe({ target, page, probe, links, seen }) {
    const withAllNames = `${target.path}?${new URLSearchParams(NAMES.map((name) => [name, VALUE]))}`;
    const missing = `${target.path.slice(0, target.path.lastIndexOf('/'))}/${inPath(VALUE)}`;
    const paths = new Set([...(seen === null ? [] : [seen]), withAllNames, missing, ...pathsOf(await links())]);
    for (const path of paths) {
      const { isActive, answers } = await requestReflection(path, probe);
      if (isActive) return vulnerable(`${nameOf(path)} repeats its input as HTML.`);
      for (const answer of answers)
        if (await isResponseToInput(answer, page, MARKER, seen === null)) probe.markAsGenuine(answer);
    }
    return notVulnerable('no page repeats its input as HTML');
  },
};

/** The path, and the parameters with our value if they are few. */
function nameOf(path: string): string {
  const [name = '', search] = path.split('?', 2);
  if (search === undefined) return 'The page for missing paths';
  const parameters = [...new URLSearchParams(search)]
    .filter(([, value]) => value.startsWith(MARKER))
    .map(([parameter]) => parameter);
  return parameters.length === 1 ? `${name} (parameter ${parameters[0]})` : name;
}
