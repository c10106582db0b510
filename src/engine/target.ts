import { isIP } from 'node:net';
import { invalid } from '../kernel/domain-error';
import { originOf } from './transport/http';
import type { RequestedPlace, Scheme } from './transport/route';
import { parseUrl } from '../kernel/parse-url';
import { hostOf } from '../kernel/web-url';

const DEFAULT_PORTS = { http: 80, https: 443, tcp: null, dns: 53 } as const satisfies Record<Scheme, unknown>;

/** The part of a request that contains the tested value. */
export type PointKind = 'query' | 'segment' | 'cookie' | 'header' | 'graphql' | 'form' | 'json';

/** The kinds that the fragment of a location names. A query parameter is in the query instead. */
const WITHIN = ['segment', 'cookie', 'header', 'graphql', 'form', 'json'] as const satisfies readonly PointKind[];

/** The target of a test. */
export interface Target extends RequestedPlace {
  /** The tested parameter, if a finding is about one. */
  readonly parameter?: string;
  /** The part of the request that contains the parameter, if not the query. */
  readonly within?: (typeof WITHIN)[number];
}

export interface WebTarget extends Target {
  readonly scheme: 'http' | 'https';
}

export const isWeb = (target: Target): target is WebTarget => target.scheme === 'http' || target.scheme === 'https';

const isScheme = (word: string): word is Scheme => Object.hasOwn(DEFAULT_PORTS, word);

const EXAMPLE = 'such as https://www.example.com/ or tcp://192.0.2.1:6379';

/** Parses a URL without its query. Anything else that a parser would silently drop or repair is refused. */
export function parseTarget(text: string): Target {
  if (/[\p{Cc}\s\\]/u.test(text))
    throw invalid(`A target has no spaces, control characters or backslashes; ${EXAMPLE}.`);
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?#]+)(.*)$/i.exec(text) ?? [];
  const word = scheme.toLowerCase();
  if (!isScheme(word)) throw invalid(`A target is a URL with http or https, or a service with tcp; ${EXAMPLE}.`);
  if (authority.includes('@')) throw invalid('A target carries no user name and no password.');
  const [, name = '', digits] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const url = parseUrl(`http://${name}/`);
  const host = url === null ? '' : hostOf(url);
  const port = digits === undefined ? DEFAULT_PORTS[word] : Number(digits);
  if (host === '' || url?.port !== '' || port === null || port < 1 || port > 65_535) {
    throw invalid(`"${text.slice(0, 200)}" names no host or no port; ${EXAMPLE}.`);
  }
  const path = word === 'http' || word === 'https' ? (parseUrl(`http://host${rest}`)?.pathname ?? '/') : '/';
  return { scheme: word, host, port, path };
}

const isSegmentOf = (path: string, number: string): boolean =>
  /^[1-9]\d{0,2}$/.test(number) && path.split('/').length > Number(number);

/** Parses a fragment such as `#cookie=name`. */
function withinFragment(text: string, { path }: Target): Pick<Target, 'parameter' | 'within'> | null {
  const at = text.indexOf('#');
  const [[kind, parameter] = []] = at < 0 ? [] : [...new URLSearchParams(text.slice(at + 1))];
  const within = WITHIN.find((one) => one === kind);
  if (within === undefined || parameter === undefined || parameter === '') return null;
  return within === 'segment' && !isSegmentOf(path, parameter) ? null : { parameter, within };
}

/** Parses a location from `locationOf`. A query with one parameter, or the fragment, names the tested parameter. */
export function parseLocation(text: string): Target {
  const target = parseTarget(text);
  const within = isWeb(target) ? withinFragment(text, target) : null;
  if (within !== null) return { ...target, ...within };
  const [parameter, ...others] = new Set(new URLSearchParams(text.split('#', 1)[0]?.split('?')[1]).keys());
  return parameter === undefined || others.length > 0 || !isWeb(target) ? target : { ...target, parameter };
}

const queryNaming = (parameter: string): string => `?${new URLSearchParams([[parameter, '']])}`.slice(0, -1);

const naming = (parameter: string, within: Target['within']): string =>
  within === undefined ? queryNaming(parameter) : `#${new URLSearchParams([[within, parameter]])}`;

/** The canonical form of a target, which fingerprints are made from and `parseLocation` parses. */
export function locationOf(target: Target): string {
  const { path, parameter, within } = target;
  if (isWeb(target)) return `${originOf(target)}${path}${parameter === undefined ? '' : naming(parameter, within)}`;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return target.scheme === 'dns' ? `dns://${host}` : `tcp://${host}:${target.port}`;
}

export const isAddress = (host: string): boolean => isIP(host) !== 0;
