import type { SentRequest } from '../../sent-request';
import { changingWord } from '../../may-change';
import { recordIn } from '../../json-record';
import { forbiddenSignedIn } from '../../signed-in/ending-words';
import type { Target, WebTarget } from '../../target';
import type { Field } from '../../transport/client-identity';
import { originOf } from '../../transport/http';
import { foreignHeaders, overridingParameter } from '../../transport/reserved-headers';
import type { CrawledPage, LeftOut, StatedPaths } from '../active-scan-request';
import { cookiesOf, pathOf, shapeOf } from '../insertion-point';
import { isSessionCookie } from '../../session-cookie';
import { Decisions } from './decisions';
import type { FoundRequest } from './found-request';
import { isNamedToRead } from './named-to-read';

const MAX_PAGES = 2_000;
/** Per shape: a path with the names of its parameters. */
const MAX_OF_SHAPE = 5;
/** Per path, with different parameters. */
const MAX_OF_PATH = 60;
const MAX_OF_FOLDER = 100;
const LONGEST_PATH = 1_500;
const LONGEST_QUERY = 40_000;
const DEEPEST = 12;
/** Relative links let a path such as `/a/b/a/b/a` grow without end. */
const MAX_REPEATED = 2;

/** Extensions of files that contain no text. */
const FILES =
  /\.(?:png|jpe?g|gif|svgz?|webp|avif|ico|bmp|css|woff2?|ttf|eot|pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|mp[34]|m4a|ogg|wav|webm|avi|mov|docx?|xlsx?|pptx?|exe|msi|dmg|iso|apk|jar|bin)$/i;
const SESSION_PARAMETERS = /^(?:phpsessid|jsessionid|sid|sessid|session_?id|aspsessionid\w*|cfid|cftoken)$/i;
/** Names of parameters whose values select a page. */
const ROUTING = /^(?:page|view|mod|module|option|controller|route|r|p|section|tab|show|site|content|file|include)$/i;
const WORD = /^[a-z][a-z_./-]{0,40}$/i;

/** Removes session ids and the fragment. */
function withoutSession(given: URL): string {
  const url = new URL(given);
  for (const name of new Set(url.searchParams.keys())) if (SESSION_PARAMETERS.test(name)) url.searchParams.delete(name);
  return `${url.pathname.replace(/;[^/]*/g, '')}${url.search}`;
}

/** Removes session headers: a document that contains a session is not trusted. */
function withoutSessions(header: Field): Field[] {
  if (header[0].toLowerCase() !== 'cookie') return [header];
  const kept = cookiesOf({ path: '/', headers: [header] }).filter((pair) => {
    const [name = '', ...value] = pair.split('=');
    return !isSessionCookie(name, value.join('='));
  });
  return kept.length === 0 ? [] : [[header[0], kept.join('; ')]];
}

/** Pages with the same shape come from the same code and differ only in their values. */
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

export type RefusalOfRequest = Omit<LeftOut, 'method' | 'count'>;
type Refusal = RefusalOfRequest;

const SIMILAR: Refusal = {
  by: 'similar',
  reason: 'enough of its shape, path or folder are requested',
  isAllowable: false,
};
export const OUT_OF_SCOPE: Refusal = { by: 'scope', reason: 'the scope or the consent ends here', isAllowable: false };
export const FORBIDDEN: Refusal = { by: 'forbidden', reason: 'an admin has forbidden it', isAllowable: false };

/** A POST only counts if it is a GraphQL query. */
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
  /** No word shows that it only reads, and no request of its shape was sent before. */
  readonly isUnknown: boolean;
}

/** Decides which requests may be sent, and which are worth sending. */
export class Frontier {
  private readonly queue: Admitted[] = [];
  /** Sent after the others, which lead to pages that show whether these change anything. */
  private readonly unknown: Admitted[] = [];
  private readonly known = new Set<string>();
  private readonly sent = new Set<string>();
  /** By the shape of the path, wherever else it occurs. */
  private readonly closed = new Map<string, Refusal>();
  private readonly counts = new Map<string, number>();
  private readonly leftOut = new Map<string, CrawledPage>();
  private readonly decisions = new Decisions(this.stated);
  private admitted = 0;
  /** Whether more pages were found than it admits. */
  isFull = false;

  constructor(
    private readonly target: WebTarget,
    private readonly isInScope: (place: Target) => boolean,
    private readonly stated: (place: Target) => StatedPaths = () => ({ allowed: [], forbidden: [] }),
    private readonly isSignedIn = false,
    private readonly most = MAX_PAGES,
  ) {}

  /** Whether such a request may be sent at all. */
  allows(request: SentRequest, label = ''): boolean {
    return this.ruleAgainst(request, label) === null && !FILES.test(pathOf(request.path));
  }

  /** `isGiven`: somebody named it, so it counts whatever its shape. */
  add(found: FoundRequest, isGiven = false): void {
    const { url, sent, label, described, source, segments = [] } = found;
    if (url.origin !== originOf(this.target) || url.username !== '' || url.password !== '') return;
    // Checked first, because pages of the target can link to addresses of any length.
    if (url.pathname.length + (isGiven ? 0 : url.search.length) > LONGEST_PATH || url.search.length > LONGEST_QUERY)
      return;
    const request: SentRequest = {
      ...sent,
      path: withoutSession(url),
      ...(sent?.headers !== undefined && { headers: foreignHeaders(sent.headers).flatMap(withoutSessions) }),
    };
    const key = `${request.method ?? 'GET'} ${request.path} ${request.body ?? ''} ${JSON.stringify(request.headers ?? [])}`;
    const said = described === undefined ? null : changingWord('', '', described);
    if (said !== null && isReading(request))
      this.closed.set(shapeOf(request.path), {
        by: 'description',
        reason: said.word,
        isAllowable: !said.isLasting,
      });
    if (this.known.has(key) || FILES.test(pathOf(request.path))) return;
    this.isFull ||= this.admitted >= this.most;
    if (this.isFull) return;
    const refusal = this.ruleAgainst(request, label);
    if (refusal !== null) return this.leaveOut({ request, source }, refusal);
    this.known.add(key);
    if (!isGiven && (isEndless(request.path) || !this.hasRoom(request)))
      return this.leaveOut({ request, source }, SIMILAR);
    this.admitted += 1;
    const isUnknown = source !== 'start' && source !== 'usual' && !isNamedToRead(request.path, described?.name);
    (isUnknown ? this.unknown : this.queue).push({ request, source, segments, isUnknown });
  }

  /** Leaves out requests that the rules have closed since they were added. A request of an unknown shape is returned alone. */
  take(most: number): Admitted[] {
    const taken: Admitted[] = [];
    while (taken.length < most) {
      const next = this.queue.shift() ?? (taken.length === 0 ? this.unknown.shift() : undefined);
      if (next === undefined) break;
      const refusal = this.ruleAgainst(next.request);
      if (refusal !== null) {
        this.leaveOut(next, refusal);
        continue;
      }
      const shape = pageShapeOf(next.request);
      const isUnknown = next.isUnknown && !this.sent.has(shape);
      this.sent.add(shape);
      taken.push({ ...next, isUnknown });
    }
    return taken;
  }

  /** Closes it for this scan. In later ones (`isEarlier`) an admin may allow it: somebody else may have changed the target. */
  close(closed: Pick<Admitted, 'request' | 'source'>, reason: string, isEarlier = false): void {
    const refusal: Refusal = { by: 'observed', reason, isAllowable: true };
    this.closed.set(shapeOf(closed.request.path), { ...refusal, isAllowable: isEarlier });
    if (this.ruleAgainst(closed.request) !== null) this.leaveOut(closed, refusal);
  }

  /** The requests that were left out since the last call. */
  takeLeftOut(): CrawledPage[] {
    const pages = [...this.leftOut.values()];
    this.leftOut.clear();
    return pages;
  }

  private ruleAgainst(request: SentRequest, label = ''): Refusal | null {
    const path = pathOf(request.path);
    const place = { ...this.target, path };
    const override = overridingParameter(request.path);
    if (override !== null || !isReading(request))
      return { by: 'method', reason: override ?? request.method ?? 'a body', isAllowable: false };
    if (!this.isInScope(place)) return OUT_OF_SCOPE;
    if (this.decisions.isForbidden(place, request.path)) return FORBIDDEN;
    const word = this.isSignedIn ? forbiddenSignedIn(request.path, label) : null;
    const found = word === null ? changingWord(request.path, label) : { word, isLasting: true };
    const said: Refusal | null = found && { by: 'word', reason: found.word, isAllowable: !found.isLasting };
    const refusals = [this.closed.get(shapeOf(request.path)), said].filter((one) => one != null);
    const final = refusals.find(({ isAllowable }) => !isAllowable);
    return final ?? (this.decisions.isAllowed(place, request.path) ? null : (refusals[0] ?? null));
  }

  private leaveOut({ request, source }: Pick<Admitted, 'request' | 'source'>, refusal: Refusal): void {
    const { method = 'GET', path } = request;
    const shape = pageShapeOf(request);
    const key = refusal.by === 'similar' ? `similar ${shape}` : `${method} ${path}`;
    const count = refusal.by === 'similar' ? (this.counts.get(key) ?? 0) + 1 : 1;
    this.counts.set(key, count);
    if (this.leftOut.size < MAX_PAGES || this.leftOut.has(key))
      this.leftOut.set(key, { shape, path, status: null, source, leftOut: { ...refusal, method, count } });
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
