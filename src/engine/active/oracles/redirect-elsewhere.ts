import { getDomain } from 'tldts';
import { parseUrl } from '../../../kernel/parse-url';
import { type Page, redirectOf } from '../../page';
import type { ReflectedPlace } from '../../protocols/http/reflected-text';
import { reflectionIn } from '../../protocols/http/reflection';
import { refreshesOf } from '../../protocols/http/refresh';
import { looksLikeLogin } from '../../response-trust';
import { type Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import type { InsertionPoint } from '../../experiment-record';
import { firstProof, JudgedAnswers, type Reader } from './variants';
import { randomWord } from '../../twins';

/** `@` stands for a random name that nobody can own, and `*` for the host of the target, because some filters require it. */
const ADDRESSES = [
  'https://@/',
  '//@/',
  '/\\@/',
  'https:@',
  'https://*@@/',
  'https://*.@/',
  'https://@/*',
  '@@/',
  '.@/',
];
/** `~` stands for the domain of the target: the name only ends like it, and is a different domain. */
const FURTHER_ADDRESSES = ['https://@~/', '///@/', '/\t/@/', 'https%3A%2F%2F@%2F', 'https://@?*', 'HTTPS://@/'];
/** The number of addresses to try if nothing hints at a redirect. */
const USUAL_ADDRESSES = 2;
const ADDRESS = /^(?:[a-z]+:|\/|www\.)|\.\w/i;

/** `location = '…'` and equivalent statements. */
const NAVIGATION =
  /^(?:(?:window|document|self|top|parent)\.){0,3}location(?:\.href)?\s{0,9}(?:=\s{0,9}|\.(?:replace|assign)\s{0,9}\(\s{0,9})(?:"([^"\n<]{1,2000})"|'([^'\n<]{1,2000})')\s{0,9}\)?(?:$|[ \t\r]{0,9}\n\s{0,99}[\w$])/;
const SEARCHED_CHARACTERS = 200_000;

/** Comments, strings, and other code. */
const TOKEN =
  /\/\/.*|<!--.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`|[^"'`/<{}()[\];]+|[\s\S]/g;

/** The statements that run unconditionally. A statement that ends with a line break stays joined with the next one. */
function topStatementsOf(code: string): string[] {
  const statements: string[] = [];
  let [depth, statement] = [0, ''];
  for (const [token] of code.matchAll(TOKEN)) {
    // A regular expression, a division or a string that is hard to parse: the rest proves nothing.
    if (/^["'`/]$/.test(token)) return statements;
    if (/^[{([]$/.test(token)) depth += 1;
    if (/^[})\]]$/.test(token)) depth -= 1;
    if (!/^(?:\/[/*]|<!--)/.test(token)) statement += token;
    if (depth !== 0 || !/^[;}]$/.test(token)) continue;
    statements.push(statement.replace(/;$/, '').trim());
    statement = '';
  }
  return depth === 0 ? [...statements, statement.trim()] : statements;
}

/** The addresses that the scripts of a page navigate to. */
function navigationsOf({ text, url }: Page): URL[] {
  const scripts = text.slice(0, SEARCHED_CHARACTERS).split(/<script(?=[\s>])/i);
  const addresses = scripts.slice(1).flatMap((script) => {
    const [code = ''] = script.slice(script.indexOf('>') + 1).split(/<\/script/i, 1);
    return topStatementsOf(code).flatMap((one) => NAVIGATION.exec(one)?.slice(1).join('') ?? []);
  });
  return addresses.map((address) => parseUrl(address.replace(/\\(.)/g, '$1'), url)).filter((to) => to !== null);
}

/** The addresses that a browser goes to after a response. */
export const placesOf = (answer: Page): URL[] =>
  [redirectOf(answer), ...refreshesOf(answer), ...navigationsOf(answer)].filter((to) => to !== null);

const DATA = /\b(?:json|javascript)\b/i;

const isIn = (answer: Page, word: string, ...kinds: readonly ReflectedPlace['kind'][]): boolean =>
  reflectionIn(answer, { word, isName: () => false, code: word }).places.some(
    (place) => kinds.includes(place.kind) || (place.kind === 'raw' && place.element === 'script'),
  );

/**
 * Whether a script may navigate to this host: the host occurs in a script, in an attribute or in data of the page. In addresses
 * of the site itself it is encoded.
 */
export function mayLeadTo(answer: Page, host: string): boolean {
  if (answer.status >= 300 || !answer.text.includes(host)) return false;
  return (
    DATA.test(answer.headers.get('content-type') ?? '') ||
    isIn(answer, host, 'script') ||
    isIn(answer, `//${host}`, 'script', 'value')
  );
}

interface Attempt {
  readonly value: string;
  readonly host: string;
  readonly read: Reader;
}

/** The address with a host name made from this label. */
function written(address: string, label: string, target: string): Pick<Attempt, 'value' | 'host'> {
  const host = address.includes('~') ? `${label}${getDomain(target) ?? ''}` : `${label}.example`;
  const at = address.lastIndexOf('@');
  return {
    value: `${address.slice(0, at)}${host}${address.slice(at + 1)}`.replace('*', target).replace('~', ''),
    host,
  };
}

/** All addresses, for checks without an experiment. */
export const addressesElsewhere = (label: string, target: string): Pick<Attempt, 'value' | 'host'>[] =>
  [...ADDRESSES, ...FURTHER_ADDRESSES].map((address) => written(address, label, target));

export const isOn = ({ hostname }: URL, host: string): boolean => hostname === host || hostname.endsWith(`.${host}`);

function attempt(address: string, target: string, { variant, doubt }: Experiment): Attempt {
  const { value, host } = written(address, randomWord(), target);
  return {
    value,
    host,
    read: (answer) => {
      const to = placesOf(answer).find((place) => isOn(place, host));
      if (to !== undefined) return `it leads to ${to.hostname}`;
      if (variant !== null && mayLeadTo(answer, host))
        doubt(`a script may lead to ${host}, the value of the parameter`);
      return null;
    },
  };
}

async function hostOf(experiment: Experiment): Promise<string> {
  const original = await experiment.firstOriginal();
  await experiment.disturbance(original);
  return new URL(original.url).hostname;
}

async function prove(address: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const { point } = experiment;
  const target = /[*~]/.test(address) ? await hostOf(experiment) : '';
  const shown = async (): Promise<string | null> => {
    const { value, host, read } = attempt(address, target, experiment);
    return (await answers.shows(value, `it leads to ${host}`, read)) === null ? null : host;
  };
  if ((await shown()) === null) return null;
  const control = attempt(address, target, experiment);
  const elsewhere: InsertionPoint = { ...point, kind: 'query', name: randomWord() };
  const isOfPoint = await answers.lacks(
    control.value,
    `control: as the parameter ${elsewhere.name} it leads nowhere`,
    control.read,
    elsewhere,
  );
  const host = isOfPoint ? await shown() : null;
  if (host === null) return null;
  return {
    state: 'proved',
    detail: `The value of ${point.name} decides where the response leads: ${host}, a name that was made up for this request.`,
    certainty: `Two random names of nine letters${address.includes('~') ? ' before that of the domain' : ' below .example, which nobody can own'}, became the places that the responses lead to, and as the value of another parameter a third one did not. Chance is 1 to 20^9 = 512,000,000,000 for each.`,
    variant: address,
  };
}

/** Statuses with which an application refuses an address. */
const REFUSED = new Set([400, 422]);

/** The fix may refuse the address, or replace it by a page of the site. */
function leadsNowhereElse(page: Page): boolean {
  const to = redirectOf(page);
  if (to === null) return page.status < 400 || REFUSED.has(page.status);
  return to.origin === new URL(page.url).origin && !looksLikeLogin(to);
}

/** Proves that the response redirects to the address in the value. */
export const redirectElsewhere: Oracle = {
  // An application that validates the value only shows it if it is valid.
  appliesTo: ({ reflected, original }) => reflected || redirectOf(original) !== null,
  mayAnswer: leadsNowhereElse,
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    return firstProof(experiment, answers, {
      candidates: async () => {
        const original = await experiment.firstOriginal();
        const isHinted = ADDRESS.test(experiment.point.value) || placesOf(original).length > 0;
        await experiment.disturbance(original);
        return isHinted ? ADDRESSES : ADDRESSES.slice(0, USUAL_ADDRESSES);
      },
      further: FURTHER_ADDRESSES,
      prove: (address) => prove(address, experiment, answers),
      otherwise: 'no address in the value decides where the response leads',
    });
  },
};
