import { isAboutPoint, observePoint } from '../active/active-check';
import { Experiment } from '../active/experiment';
import { withHalfFixes } from '../active/half-fixes';
import { pointAt } from '../active/insertion-point';
import { reflectedXss } from '../active/oracles/reflected-xss';
import {
  inconclusive,
  notVulnerable,
  type Observation,
  type Spot,
  vulnerable,
  type WebCheck,
  type WebSubject,
} from '../check';
import type { Page } from '../page';
import type { Probe } from '../probe';
import { isResponseToInput } from '../protocols/http/input-response';
import type { ReflectedPlace } from '../protocols/http/reflected-text';
import { reflectionIn } from '../protocols/http/reflection';
import { ANY_PARAMETER, inTurns } from '../spots';

/** Not an HTML element, so it does nothing in a browser. */
const MARKER = 'assay-input-7d1f4c';
/** Both tags, because some pages only make `</` harmless in scripts. */
const ELEMENT = `<${MARKER}></${MARKER}>`;
const QUOTES = `'"`;
const SENT = { word: MARKER, isName: (name: string) => name.includes(MARKER), code: MARKER, quotes: QUOTES };
const VALUE = `${MARKER}${QUOTES}${ELEMENT}`;

const NAMES = `
  q s search query keyword term id name title page lang category tag message msg error text user
  email filter sort view p
`
  .trim()
  .split(/\s+/);
/** Parameters of links that are tested when a finding is recorded. */
const MAX_PARAMETERS = 10;
/** The maximum in a job. Even if all of them show the weakness, their tests send fewer requests than fit into five minutes. */
const MAX_PARAMETERS_OF_JOB = 150;
const MAX_NAME_LENGTH = 100;
const CONCURRENCY = 4;
/** Enough for all of them at the default pace, and leaves time for the other checks of the job. */
const LONGEST_MS = 90_000;

/** The characters that end the text or value around our input; empty if nothing can end it. */
function endOf(place: ReflectedPlace): string {
  if (place.kind === 'comment') return '-->';
  if (place.kind === 'raw') return `</${place.element}>`;
  if (place.kind === 'script' && place.isElement) return '</script>';
  return place.kind === 'value' && place.quote === '' ? ` ${MARKER} ` : '';
}

const inQuery = (value: string): string => new URLSearchParams({ value }).toString().slice('value='.length);
const inPath = (value: string): string => encodeURIComponent(value).replaceAll('%2F', '/');

/** The path with these characters before our element; null if it does not contain our value. */
function pathToLeave(path: string, ends: string): string | null {
  const value = `${MARKER}${QUOTES}${ends}${ELEMENT}`;
  const changed = path.replaceAll(inQuery(VALUE), inQuery(value)).replaceAll(inPath(VALUE), inPath(value));
  return changed === path ? null : changed;
}

/** Requests a path with our value. A second request tries to end what encloses the value in the page. */
async function requestReflection(
  path: string,
  probe: Probe,
): Promise<{ readonly shownBy: string | null; readonly answers: readonly Page[] }> {
  const answer = await probe.http({ path, fresh: true });
  const { created, places } = reflectionIn(answer, SENT);
  const ends = answer.text.includes(ELEMENT) ? [...new Set(places.map(endOf))].join('') : '';
  const leaving = created === null && ends !== '' ? pathToLeave(path, ends) : null;
  if (leaving === null) return { shownBy: created === null ? null : path, answers: [answer] };
  const second = await probe.http({ path: leaving, fresh: true });
  return { shownBy: reflectionIn(second, SENT).created === null ? null : leaving, answers: [answer, second] };
}

/** Paths with our value in one parameter of the links at a time. */
function pathsOf(links: readonly URL[]): string[] {
  const paths = new Map<string, string>();
  for (const { pathname, search } of links)
    for (const name of new Set(new URLSearchParams(search).keys())) {
      const parameters = new URLSearchParams(search);
      parameters.set(name, VALUE);
      const key = `${pathname} ${name}`;
      if (!paths.has(key) && name.length <= MAX_NAME_LENGTH) paths.set(key, `${pathname}?${parameters}`);
    }
  return [...paths.values()];
}

/** The names of the parameters that contain our value. */
const parametersIn = (path: string): string[] =>
  [...new URLSearchParams(path.split('?', 2)[1])]
    .filter(([, value]) => value.startsWith(MARKER))
    .map(([parameter]) => parameter);

const withNames = (path: string, names: readonly string[]): string =>
  `${path}?${new URLSearchParams(names.map((name) => [name, VALUE]))}`;

const missingOf = (path: string): string => `${path.slice(0, path.lastIndexOf('/'))}/${inPath(VALUE)}`;

/** Requests the paths concurrently. Returns those that repeat our value, and the number of paths for which there was no time. */
async function reflectingOf(
  paths: readonly string[],
  subject: WebSubject,
): Promise<{ readonly reflecting: readonly string[]; readonly left: number }> {
  const reflecting = new Set<string>();
  const queue = [...paths];
  const end = performance.now() + LONGEST_MS;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const path = queue.shift();
      if (path === undefined) return;
      if ((await reflectingPath(path, subject)) !== null) reflecting.add(path);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { reflecting: paths.filter((path) => reflecting.has(path)), left: queue.length };
}

/** The path that repeats our value: this one, or the second one that ends the text around the value. Null if neither does. */
async function reflectingPath(path: string, { probe, page, seen }: WebSubject): Promise<string | null> {
  const { shownBy, answers } = await requestReflection(path, probe);
  if (shownBy !== null) return shownBy;
  for (const answer of answers)
    if (await isResponseToInput(answer, page, MARKER, seen === null)) probe.markAsGenuine(answer);
  return null;
}

/** Tests the usual paths until one page repeats our value. */
async function observePage(subject: WebSubject): Promise<Observation> {
  const { target, links, seen } = subject;
  const linked = pathsOf(await links()).slice(0, MAX_PARAMETERS);
  const paths = [...(seen === null ? [] : [seen]), withNames(target.path, NAMES), missingOf(target.path), ...linked];
  for (const path of new Set(paths))
    if ((await reflectingPath(path, subject)) !== null) return vulnerable(`${nameOf(path)} repeats its input as HTML.`);
  return notVulnerable('no page repeats its input as HTML');
}

/** The usual parameters that the page repeats, tested one by one, if it repeats any of them. */
async function namesOfPage(subject: WebSubject): Promise<string[]> {
  const { path } = subject.target;
  const together = await reflectingPath(withNames(path, NAMES), subject);
  return together === null ? [] : NAMES.map((name) => withNames(path, [name]));
}

/**
 * Whether the repeated value is harmless: a page may use letters of a value as a name or code, and escape all special characters.
 * An experiment tells these apart.
 */
async function isHarmless(place: WebSubject['target'], path: string, { probe }: WebSubject): Promise<boolean> {
  const experiment = new Experiment(pointAt(place, [path]), probe, null, false, false);
  return (await experiment.run(reflectedXss)).state === 'sound';
}

/** Tests all pages in a job. Each parameter has a separate finding. */
async function observeSite(subject: WebSubject, report: (spot: Spot) => void): Promise<Observation> {
  const { target, links } = subject;
  const linked = inTurns(pathsOf(await links()), parametersIn);
  const further = linked.splice(MAX_PARAMETERS_OF_JOB).length;
  const { reflecting, left } = await reflectingOf([...(await namesOfPage(subject)), ...linked], subject);
  const found = new Map(reflecting.toReversed().map((path) => [nameOf(path), path]));
  for (const path of [...found.values()].toReversed())
    for (const parameter of parametersIn(path)) {
      const place = { ...target, path: path.split('?', 1)[0] ?? '/', parameter };
      if (!(await isHarmless(place, path, subject))) report({ place, paths: [path] });
    }
  const untested = [
    ...(left > 0 ? [`${left} parameters were not tested within ${LONGEST_MS / 1_000} seconds`] : []),
    ...(further > 0 ? [`${further} parameters were not tested, because a job tests ${MAX_PARAMETERS_OF_JOB}`] : []),
  ].join('; ');
  if (untested !== '') report({ place: { ...target, parameter: ANY_PARAMETER }, paths: [], untested });
  const missing = missingOf(target.path);
  if ((await reflectingPath(missing, subject)) !== null)
    return vulnerable(`${nameOf(missing)} repeats its input as HTML.`);
  return notVulnerable('no other tested page repeats its input as HTML');
}

/** Tests one parameter of a page, or the parameters that an older finding lists. */
async function observeParameters(subject: WebSubject, parameter: string): Promise<Observation> {
  const { target, seen, shown, probe } = subject;
  const isList = parameter === ANY_PARAMETER;
  const known = isList || seen === null ? shown : [seen];
  const paths = known.length > 0 || isList ? known : [withNames(target.path, [parameter])];
  if (paths.length === 0) return inconclusive('only a job finds the parameters that one finding lists');
  const reflecting: string[] = [];
  let decisive: string | null = null;
  for (const path of new Set(paths)) {
    const shownBy = await reflectingPath(path, subject);
    if (shownBy !== null) reflecting.push(path);
    decisive ??= shownBy;
  }
  const [first] = reflecting;
  if (first === undefined || decisive === null) return notVulnerable('it does not repeat its input as HTML');
  probe.markAsDecisive(decisive);
  return vulnerable(
    isList
      ? `${reflecting.length} pages repeat their input as HTML: ${reflecting.map(nameOf).join(', ')}`
      : `${nameOf(first)} repeats its input as HTML.`,
  );
}

export const reflectedInput: WebCheck = {
  id: 'reflected-input',
  title: 'Reflected XSS',
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
    'Requests the page with usual parameters such as `q` and `search`, a missing path, and in a job up to 150 parameters in links of the site, for up to 90 seconds (the check is incomplete if others are left), each with an element unknown to HTML as the value. It is vulnerable if a browser would read the value in an HTML page as an element, as an attribute or as code of a script; if it is in a comment or in text such as that of a `textarea`, a second request tries to end it. It is fixed when no response does, in any syntax. Forms are submitted by active jobs with `full` alone. Cookies and headers are not tested: no link carries them. Each parameter of a page is a finding of its own; if pages of one template have more than twenty, one finding lists them.',
  text: `A page shows what is in its address without escaping it. An attacker who gets a visitor to open a link can run scripts in
this site: they read what the visitor sees, and act in the visitor's name (cross-site scripting).

**How to fix it.** Escape every value where it is put into the page, with the functions of your template engine, and
never assemble HTML from strings. A Content Security Policy without \`unsafe-inline\` limits the damage if one is missed.`,
  on: 'page',
  parametersIn,
  needsLink: true,
  appliesTo: ({ reflected }) => reflected,
  async observe(subject) {
    const { target, report } = subject;
    if (isAboutPoint(subject)) return observePoint(subject, reflectedXss);
    const { parameter } = target;
    if (parameter === undefined && report !== null) return observeSite(subject, report);
    const observed = await (parameter === undefined ? observePage(subject) : observeParameters(subject, parameter));
    const again = (path: string): Promise<string | null> => reflectingPath(path, subject);
    return withHalfFixes(observed, subject, { oracle: reflectedXss, variant: '<@></@>', namesIn: parametersIn, again });
  },
};

/** The path, with the parameters that contain our value if there are only a few. */
function nameOf(path: string): string {
  const [name = '', search] = path.split('?', 2);
  if (search === undefined) return 'The page for missing paths';
  const parameters = parametersIn(path);
  return parameters.length === 1 ? `${name} (parameter ${parameters[0]})` : name;
}
