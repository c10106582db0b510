import type { Page } from '../../page';
import type { Probe, ProbeRequest } from '../../probe';
import { Experiment, type Oracle } from '../experiment';
import { queryPoint } from './injectable-shop';
import type { SeededRandom } from '../../testing/seeded-random';
import { Headers } from '../../transport/headers';

export interface Reply {
  readonly status?: number;
  readonly text: string;
  readonly ms?: number;
}

/** Returns the response to the value of `v`. */
export type Site = (value: string, random: SeededRandom) => Reply;

function pageOf(path: string, { status = 200, text, ms = 20 }: Reply): Page {
  const headers = new Headers([['Content-Type', 'text/html']]);
  return { url: `http://site.test${path}`, status, headers, body: Buffer.from(text), text, tls: null, hops: [], ms };
}

const unused = (): Promise<never> => Promise.reject(new Error('experiments only send requests'));
const ignore = (): undefined => undefined;

/** Sends nothing: the site answers immediately. */
export function probeOf(site: Site, random: SeededRandom, count: () => void = ignore): Probe {
  const http = ({ path = '/' }: ProbeRequest): Promise<Page> => {
    count();
    return Promise.resolve(pageOf(path, site(new URL(path, 'http://site.test').searchParams.get('v') ?? '', random)));
  };
  const marks = { markAsGenuine: ignore, markAsJudged: ignore, markAsDecisive: ignore, keepExperiment: ignore };
  return {
    http,
    requestPage: http,
    askBeside: http,
    tls: unused,
    tcp: unused,
    dns: unused,
    offersHttp2: false,
    ...marks,
  };
}

const WORDS =
  'rain snow wind sun moon star river hill stone tree leaf bird fish horse road house door key book lamp'.split(' ');
const html = (...parts: readonly string[]): string =>
  `<title>Site</title><h1>Items</h1>${parts.map((part) => `<p>${part}</p>`).join('')}<footer>About us</footer>`;
const some = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
const sumOf = (text: string): number => Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);
const calculated = (value: string): string =>
  value
    .replace(/(\d+)\*(\d+)/g, (_all, one: string, other: string) => String(Number(one) * Number(other)))
    .replace(/(\d+) \+ (\d+)/g, (_all, one: string, other: string) => String(Number(one) + Number(other)));
const FOUND = html('item one', 'item two');
const NONE = html('nothing found');
const isTautology = (value: string): boolean => /\b(\w+)\b\W{1,3}\b\1\b/.test(value);

/** Sites without a weakness, whatever they do with the value. */
export const SOUND_SITES: Readonly<Record<string, Site>> = {
  'the same page': () => ({ text: FOUND }),
  'a page that repeats the value': (value) => ({ text: html(`you searched for ${value.replace(/[<>&"']/g, '')}`) }),
  'a search that finds only the value': (value) => ({ text: /^\w+$/.test(value) ? FOUND : NONE }),
  'a search for any of the words, with AND as one of them': (value) => ({
    text: html(...(value.toLowerCase().match(/\w+/g) ?? []).map((word) => WORDS[sumOf(word) % 20] ?? '')),
  }),
  'a page that calculates': (value) => ({ text: html(calculated(value)) }),
  'a page that calculates and looks for the result': (value) => ({
    text: /^\d+$/.test(calculated(value)) ? FOUND : html(`no ${calculated(value)}`),
  }),
  'a page that shows a random word': (_value, random) => ({ text: html('item one', some(random, 1)) }),
  'a page that changes at each request': (_value, random) => ({ text: html(some(random, 9), `${random.next()}`) }),
  'a page that depends on a hash of the value': (value) => ({ text: html(WORDS[sumOf(value) % 20] ?? '') }),
  'a page that depends on the length of the value': (value) => ({ text: value.length % 2 === 0 ? FOUND : NONE }),
  'a page that depends on the last digit': (value) => ({
    text: Number(/\d(?=\D*$)/.exec(value)) % 2 === 0 ? FOUND : NONE,
  }),
  'a firewall that blocks tautologies': (value) =>
    isTautology(value) ? { status: 403, text: html('request blocked') } : { text: FOUND },
  'a firewall that blocks signs': (value) =>
    /['"();|&`$]/.test(value) ? { status: 406, text: html('not acceptable') } : { text: FOUND },
  'a firewall that removes signs': (value) => ({ text: html(value.replace(/['"();|&`$]/g, '')) }),
  'a program that fails with quotes': (value) =>
    /['"]/.test(value) ? { status: 500, text: 'error' } : { text: FOUND },
  'a program that fails with every word': (value) =>
    /^\d+$/.test(value) ? { text: FOUND } : { status: 500, text: html('not a number', value) },
  'an overloaded server': (value, random) =>
    random.next() < 0.2 ? { status: 503, text: html('busy') } : { text: /^\w+$/.test(value) ? FOUND : NONE, ms: 300 },
  'a slow server': (_value, random) => ({ text: FOUND, ms: random.between(500, 6_000) }),
  'a server that is slower with longer values': (value) => ({ text: FOUND, ms: value.length * 60 }),
  'a server that always takes more than two seconds': (_value, random) => ({
    text: FOUND,
    ms: 2_400 + random.below(20),
  }),
};

/** Each request gets a random response, of two or of many. */
export const RANDOM_SITES: Readonly<Record<string, Site>> = {
  'one of two pages': (_value, random) => ({ text: random.next() < 0.5 ? FOUND : NONE }),
  'one of two pages, one of them rare': (_value, random) => ({ text: random.next() < 0.1 ? FOUND : NONE }),
  'one of two statuses': (_value, random) => ({ status: random.pick([200, 500]), text: FOUND }),
  'a page or 503': (_value, random) => ({ status: random.pick([200, 503]), text: FOUND }),
  'any words, at any time': (_value, random) => ({ text: html(some(random, 3)), ms: random.between(10, 6_000) }),
};

/** The result of the condition in the value; null if there is none. */
function conditionIn(value: string): boolean | null {
  const [, one, other, stated] = /CASE\((\d+)\*(\d+)\)WHEN\((\d+)\)/.exec(value) ?? [];
  return stated === undefined ? null : Number(one) * Number(other) === Number(stated);
}

/** A number in a statement. A value that is not a condition is not a valid statement. */
const database =
  (whenTrue: Site, whenFalse: Site): Site =>
  (value, random) =>
    /^\d+$/.test(value) || conditionIn(value) === true ? whenTrue(value, random) : whenFalse(value, random);

const waits = (value: string): number => 1_000 * Number(/(?:\$\(sleep |pg_sleep\()([\d.]+)/.exec(value)?.[1] ?? 0);

export const VULNERABLE_SITES: Readonly<Record<string, Site>> = {
  'a page of rows': database(
    () => ({ text: FOUND }),
    () => ({ text: NONE }),
  ),
  'a page that changes at each request': database(
    (_value, random) => ({ text: html('item one', some(random, 4), `${random.next()}`) }),
    (_value, random) => ({ text: html('nothing found', some(random, 4), `${random.next()}`) }),
  ),
  'an overloaded server': database(
    (_value, random) => (random.next() < 0.04 ? { status: 503, text: 'busy' } : { text: FOUND }),
    (_value, random) => (random.next() < 0.04 ? { status: 503, text: 'busy' } : { text: NONE }),
  ),
  'errors alone': database(
    () => ({ text: FOUND }),
    () => ({ status: 500, text: 'error' }),
  ),
  'delays alone': (value, random) => ({ text: FOUND, ms: waits(value) + random.between(20, 60) }),
  'delays of an uneven server': (value, random) => ({ text: FOUND, ms: waits(value) + random.between(100, 250) }),
};

/** The names of the sites at which an oracle proves the weakness. The points are distributed over the sites in turn. */
export async function provedAt(
  oracle: Oracle,
  sites: Readonly<Record<string, Site>>,
  points: number,
  random: SeededRandom,
  values: readonly string[] = ['5', 'item', '127.0.0.1', 'name'],
): Promise<readonly string[]> {
  const proved: string[] = [];
  const all = Object.entries(sites);
  for (let at = 0; at < points; at += 1) {
    const [name, site] = all[at % all.length] ?? ['', () => ({ text: '' })];
    const experiment = new Experiment(queryPoint('/list', random.pick(values)), probeOf(site, random));
    if ((await oracle.observe(experiment)).state === 'proved') proved.push(name);
  }
  return proved;
}
