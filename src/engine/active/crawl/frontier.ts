import type { SentRequest } from '../../sent-request';
import { mayChange } from '../../may-change';
import { recordIn } from '../../protocols/http/json-record';
import type { Target, WebTarget } from '../../target';
import { originOf } from '../../transport/http';
import { foreignHeaders } from '../../transport/reserved-headers';
import { cookiesOf, pathOf, shapeOf } from '../insertion-point';
import { isSessionCookie } from '../points/points-of';
import type { FoundRequest } from './found-request';

const MAX_PAGES = 2_000;
/** Of one shape: path and names of parameters. */
const MAX_OF_SHAPE = 5;
/** Of one path with other parameters. */
const MAX_OF_PATH = 60;
/** Of one folder. */
const MAX_OF_FOLDER = 100;
const LONGEST_PATH = 1_500;
const DEEPEST = 12;
/** `/a/b/a/b/a` grows by relative links for ever. */
const MAX_REPEATED = 2;

/** No text. */
const FILES =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|css|woff2?|ttf|eot|pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|mp[34]|m4a|ogg|wav|webm|avi|mov|docx?|xlsx?|pptx?|exe|msi|dmg|iso|apk|jar|bin)$/i;
const SESSION_PARAMETERS = /^(?:phpsessid|jsessionid|sid|sessid|session_?id|aspsessionid\w*|cfid|cftoken)$/i;
/** Names of parameters whose words choose a page. */
const ROUTING = /^(?:page|view|mod|module|option|controller|route|r|p|section|tab|show|site|content|file|include)$/i;
const WORD = /^[a-z][a-z_./-]{0,40}$/i;

/** Without session ids and fragments. */
function withoutSession(given: URL): string {
  const url = new URL(given);
  for (const name of new Set(url.searchParams.keys())) if (SESSION_PARAMETERS.test(name)) url.searchParams.delete(name);
  return `${url.pathname.replace(/;[^/]*/g, '')}${url.search}`;
}

type Header = readonly [name: string, value: string];

/** A document that names the session of somebody is not believed. */
function withoutSessions(header: Header): Header[] {
  if (header[0].toLowerCase() !== 'cookie') return [header];
  const kept = cookiesOf({ path: '/', headers: [header] }).filter((pair) => {
    const [name = '', ...value] = pair.split('=');
    return !isSessionCookie(name, value.join('='));
  });
  return kept.length === 0 ? [] : [[header[0], kept.join('; ')]];
}

/** Pages of one shape are answered by the same code: their values differ. */
export function pageShapeOf({ method = 'GET', path }: Pick<SentRequest, 'method' | 'path'>): string {
  const parameters = [...new URLSearchParams(path.slice(pathOf(path).length))]
    .map(([name, value]) => (ROUTING.test(name) && WORD.test(value) ? `${name}=${value}` : name.replace(/\d+/g, '*')))
    .sort();
  const query = [...new Set(parameters)].join('&');
  return `${method === 'GET' ? '' : `${method} `}${shapeOf(path)}${query === '' ? '' : `?${query}`}`.slice(0, 500);
}

const isEndless = (path: string): boolean => {
  const segments = pathOf(path).split('/').filter(Boolean);
  const isRepeated = (one: string): boolean => segments.filter((other) => other === one).length > MAX_REPEATED;
  return segments.length > DEEPEST || segments.some(isRepeated);
};

/** A POST is a query of GraphQL or nothing. */
const isReading = ({ method = 'GET', body }: SentRequest): boolean => {
  if (method === 'GET' || method === 'HEAD') return body === undefined;
  const query = recordIn(body ?? '')?.['query'];
  return (
    method === 'POST' &&
    typeof query === 'string' &&
    /^\s*(?:query\b|\{)/.test(query) &&
    !/\b(?:mutation|subscription)\b/.test(query)
  );
};

export interface Admitted {
  readonly request: SentRequest;
  readonly source: string;
  readonly segments: readonly number[];
}

/** Decides which requests may be sent, and which are worth it. */
export class Frontier {
  private readonly queue: Admitted[] = [];
  private readonly known = new Set<string>();
  /** Shapes of paths that the document of an API describes as changing something, wherever else they are named. */
  private readonly closed = new Set<string>();
  private readonly counts = new Map<string, number>();
  private admitted = 0;

  constructor(
    private readonly target: WebTarget,
    private readonly isInScope: (place: Target) => boolean,
  ) {}

  /** Whether such a request may be sent at all. */
  allows(request: SentRequest, label = ''): boolean {
    const path = pathOf(request.path);
    return (
      isReading(request) &&
      this.isInScope({ ...this.target, path }) &&
      !this.closed.has(shapeOf(request.path)) &&
      !mayChange(request.path, label) &&
      !FILES.test(path)
    );
  }

  /** `isGiven`: somebody asked for it, so that it counts whatever its shape. */
  add(found: FoundRequest, isGiven = false): void {
    const { url, sent, label, described, source, segments = [] } = found;
    if (url.origin !== originOf(this.target) || url.username !== '' || url.password !== '') return;
    // Before anything else: each page of a target can lead to addresses of any length.
    if (url.pathname.length + (isGiven ? 0 : url.search.length) > LONGEST_PATH) return;
    const request: SentRequest = {
      ...sent,
      path: withoutSession(url),
      ...(sent?.headers !== undefined && { headers: foreignHeaders(sent.headers).flatMap(withoutSessions) }),
    };
    if (described !== undefined && mayChange('', '', described)) this.closed.add(shapeOf(request.path));
    const key = `${request.method ?? 'GET'} ${request.path} ${request.body ?? ''} ${JSON.stringify(request.headers ?? [])}`;
    if (this.known.has(key) || this.admitted >= MAX_PAGES || !this.allows(request, label)) return;
    this.known.add(key);
    if (!isGiven && (isEndless(request.path) || !this.hasRoom(request))) return;
    this.admitted += 1;
    this.queue.push({ request, source, segments });
  }

  /** Without those that the rules have closed since they were added. */
  take(most: number): Admitted[] {
    const taken: Admitted[] = [];
    while (taken.length < most) {
      const next = this.queue.shift();
      if (next === undefined) break;
      if (this.allows(next.request)) taken.push(next);
    }
    return taken;
  }

  private hasRoom(request: SentRequest): boolean {
    const path = `${request.method ?? 'GET'} ${shapeOf(request.path)}`;
    const limits: readonly (readonly [key: string, most: number])[] = [
      [`shape ${pageShapeOf(request)} ${request.body ?? ''}`, MAX_OF_SHAPE],
      [`path ${path}`, MAX_OF_PATH],
      [`folder ${path.slice(0, path.lastIndexOf('/'))}`, MAX_OF_FOLDER],
    ];
    if (limits.some(([key, most]) => (this.counts.get(key) ?? 0) >= most)) return false;
    for (const [key] of limits) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return true;
  }
}
