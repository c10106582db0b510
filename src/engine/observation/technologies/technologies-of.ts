import type { Statement, TechnologySeen } from '../host-seen';
import { addressesIn, generatorsIn, markIn, searchedPart } from './page-parts';
import { cpeOf, isMorePrecise, systemIn } from './stated-facts';
import type { Technology } from './technology';
import { WEB_SERVERS } from './web-servers';
import { BY_HEADER, BY_SERVICE, COOKIES, GENERATORS, ICONS, PAGE_MARKS, SCRIPTS } from './technology-table';

const LONGEST_GREETING = 2_000;
const LONGEST_HEADER = 500;
const MOST_HEADERS = 200;
const LONGEST_URL = 200;
const LONGEST_VERSION = 40;

type HttpStatement = Extract<Statement, { kind: 'http' }>;

/** The technologies that statements show: each once, or once for each stated version. */
export function technologiesOf(statements: readonly Statement[]): TechnologySeen[] {
  return merged(
    statements.flatMap((statement) => [...(statement.kind === 'http' ? inHttp(statement) : inGreeting(statement))]),
  );
}

function* inGreeting({ service, text, source }: Extract<Statement, { kind: 'greeting' }>): Generator<TechnologySeen> {
  const greeting = text.slice(0, LONGEST_GREETING);
  for (const [technology, expression] of BY_SERVICE.get(service) ?? [])
    yield* seen(technology, expression.exec(greeting), source);
}

/** The welcome page of one server may remain when another server, which names itself, replaces it. */
const isOfAnotherServer = ({ name, headers: own }: Technology, headers: HttpStatement['headers']): boolean =>
  own?.['server'] !== undefined &&
  headers.some(
    ([field, value]) =>
      field.toLowerCase() === 'server' &&
      WEB_SERVERS.some(
        (other) => other.name !== name && other.headers?.['server']?.test(value.slice(0, LONGEST_HEADER)),
      ),
  );

function* inHttp({ url, status, headers, body, iconHash }: HttpStatement): Generator<TechnologySeen> {
  const at = url.slice(0, LONGEST_URL);
  for (const [name, value] of headers.slice(0, MOST_HEADERS))
    yield* inHeader(name.toLowerCase(), value.slice(0, LONGEST_HEADER), at);
  const page = searchedPart(body);
  for (const text of generatorsIn(page))
    for (const [technology, expression] of GENERATORS)
      yield* seen(technology, expression.exec(text), `generator of ${at}`);
  for (const [technology, mark] of PAGE_MARKS)
    if (status >= 400 || typeof mark !== 'string' || !isOfAnotherServer(technology, headers))
      yield* seen(technology, markIn(page, mark), `page ${at}`);
  for (const address of addressesIn(page))
    for (const [technology, expressions] of SCRIPTS)
      yield* seen(technology, firstMatch(expressions, address), `${address} in ${at}`);
  for (const [technology, icon] of ICONS) if (icon === iconHash) yield* seen(technology, /^/.exec(''), `favicon ${at}`);
}

function* inHeader(name: string, value: string, at: string): Generator<TechnologySeen> {
  for (const [technology, expression] of BY_HEADER.get(name) ?? [])
    yield* seen(technology, expression.exec(value), `${name} header of ${at}`);
  if (name !== 'set-cookie') return;
  const cookie = /^\s{0,5}([^=;\s]{1,100})=/.exec(value)?.[1] ?? '';
  for (const [technology, expression] of COOKIES)
    yield* seen(technology, expression.exec(cookie), `cookie ${cookie} of ${at}`);
}

function firstMatch(expressions: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const expression of expressions) {
    const match = expression.exec(text);
    if (match !== null) return match;
  }
  return null;
}

/** One technology if its expression matched. */
function* seen(technology: Technology, match: RegExpExecArray | null, source: string): Generator<TechnologySeen> {
  if (match === null) return;
  const { name, vendor, cpe } = technology;
  const { version: stated = '', update = '', os = '' } = match.groups ?? {};
  const version = stated.slice(0, LONGEST_VERSION).replace(/(?<![.-])[.-]+$/, '');
  yield {
    name,
    vendor,
    version: `${version}${update}`,
    os: systemIn(os),
    cpe: cpe === undefined ? '' : cpeOf(cpe, version, update),
    source,
  };
}

/** Leaves out technologies that another statement states more precisely. */
function merged(all: readonly TechnologySeen[]): TechnologySeen[] {
  const byVersion = new Map<string, TechnologySeen>();
  for (const one of all) {
    const key = `${one.name} ${one.version}`;
    const before = byVersion.get(key);
    byVersion.set(key, before === undefined ? one : { ...before, os: before.os || one.os });
  }
  const distinct = [...byVersion.values()];
  return distinct
    .filter((one) => !distinct.some(({ name, version }) => name === one.name && isMorePrecise(version, one.version)))
    .sort((one, other) => order(one.name, other.name) || order(one.version, other.version));
}

const order = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
