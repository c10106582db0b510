import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonRecord } from '../../../kernel/is-record';
import { inTurns } from '../../../kernel/in-turns';
import { parseUrl } from '../../../kernel/parse-url';
import type { SentRequest } from '../../sent-request';
import { type Page, redirectOf } from '../../page';
import { GRAPHQL_PATHS, OPENAPI_PATHS } from '../../protocols/http/api-paths';
import { locationsOfSitemap, pathsOfRobots, sitemapsOf } from '../../site-links';
import type { WebTarget } from '../../target';
import { originOf } from '../../transport/http';
import { ExchangeFailed } from '../../transport/exchange';
import type { ActiveInventory, CrawledPage } from '../active-scan-request';
import type { InsertionPoint } from '../experiment-record';
import { pathOf, pointKey, shapeOf } from '../insertion-point';
import { isSessionCookie, pointsOf, USUAL_HEADERS } from '../points/points-of';
import { isBuiltAlike } from './built-alike';
import type { FoundRequest } from './found-request';
import { type Admitted, type Frontier, pageShapeOf } from './frontier';
import { introspectionOf, queriesIn } from './graphql';
import { foreignServerIn, openapiIn, requestsOfOpenapi } from './openapi';
import { referencesIn } from './references-in';
import { addressesInScript, sourceMapOf } from './script-addresses';
import { WatchedPages } from './watched-pages';

const CONCURRENCY = 2;
/** Shapes on which all usual headers, and the cookies of other pages, are points. */
const MAX_WITH_HEADERS = 10;
/** Shapes on which the header that most pages use is a point. */
const MAX_WITH_REFERER = 300;
const MAX_SCRIPTS = 40;
/** With so many names next to it, the last part of a path is taken for a value. */
const MANY_SIBLINGS = 3;
const MAX_COOKIES = 10;
const NOT_THERE = new Set([404, 405, 410, 501]);
/** Sources that were guessed, or name what may not exist. */
const GUESSED = new Set(['script', 'robots', 'sitemap']);

const USUAL_PATHS = ['/robots.txt', '/sitemap.xml', ...OPENAPI_PATHS];
const MAX_GRAPHQL = 5;

export interface CrawlOptions {
  readonly target: WebTarget;
  readonly frontier: Frontier;
  readonly inventory: ActiveInventory;
  readonly ask: (request: SentRequest) => Promise<Page>;
  /** Whether its share of the budget is used up. */
  readonly isOver: () => boolean;
  readonly onFound: (pages: readonly CrawledPage[], points: readonly InsertionPoint[]) => void;
}

const typeOf = ({ headers }: Page): string => headers.get('content-type') ?? '';

function headersFor(shapes: number): typeof USUAL_HEADERS {
  if (shapes > MAX_WITH_REFERER) return [];
  return shapes > MAX_WITH_HEADERS ? USUAL_HEADERS.filter(([name]) => name === 'Referer') : USUAL_HEADERS;
}

/** Looks for pages and insertion points, from what pages lead to. */
export class Crawl {
  private readonly bodies = new Set<string>();
  private readonly points = new Set<string>();
  private readonly shapes = new Set<string>();
  private readonly siblings = new Map<string, Set<string>>();
  /** Those that the site has set, without sessions. */
  private readonly cookies = new Map<string, string>();
  private readonly graphql = new Set<string>(GRAPHQL_PATHS);
  private readonly notes = new Set<string>();
  private readonly watched = new WatchedPages((request) => this.answer(request));
  private scripts = 0;

  constructor(private readonly options: CrawlOptions) {}

  /** Returns what it has to say. */
  async run(seeds: readonly SentRequest[], known: readonly CrawledPage[]): Promise<readonly string[]> {
    const { target, frontier } = this.options;
    for (const { path, source, leftOut } of known)
      if (leftOut?.by === 'observed') frontier.close({ request: { path }, source }, leftOut.reason);
    for (const seed of seeds) this.add({ url: this.urlOf(seed.path), source: 'seed', sent: seed }, true);
    for (const path of [target.path, '/']) this.add({ url: this.urlOf(path), source: 'start' }, true);
    for (const path of USUAL_PATHS) this.add({ url: this.urlOf(path), source: 'usual' });
    for (const { path, source, shape, leftOut = null } of known)
      if (leftOut === null && shape.startsWith('/')) this.add({ url: this.urlOf(path), source });
    await this.visitAll();
    for (const path of [...this.graphql].slice(0, MAX_GRAPHQL)) await this.introspect(path);
    await this.visitAll();
    return [...this.notes];
  }

  private async visitAll(): Promise<void> {
    const { frontier, isOver } = this.options;
    for (;;) {
      const batch = isOver() ? [] : frontier.take(CONCURRENCY);
      const leftOut = frontier.takeLeftOut();
      if (leftOut.length > 0) await this.options.inventory.addPages(leftOut);
      if (batch.length === 0) return;
      if (!batch.some(({ isUnknown }) => isUnknown)) this.watched.forget();
      const pages = await Promise.all(batch.map((one) => (one.isUnknown ? this.tried(one) : this.answer(one.request))));
      // In their order, because the first request that has a point is the one that is tested.
      for (const [index, one] of batch.entries()) await this.keep(one, pages[index] ?? null);
    }
  }

  /** The answer to a request that may change something, alone. Null if a page has changed after it: it has no points. */
  private async tried(one: Admitted): Promise<Page | null> {
    const { page, change } = await this.watched.around(() => this.answer(one.request));
    if (change === null) return page;
    const { method = 'GET', path } = one.request;
    const note = `after ${method} ${path}, ${change}`;
    this.notes.add(note);
    this.options.frontier.close(one, note);
    return null;
  }

  private async introspect(path: string): Promise<void> {
    const { frontier, isOver } = this.options;
    const request = introspectionOf(path);
    const page = isOver() || !frontier.allows(request) ? null : await this.answer(request);
    if (page === null) return;
    for (const sent of queriesIn(page, path)) this.add({ url: this.urlOf(path), source: 'graphql', sent }, true);
  }

  private urlOf(path: string): URL | null {
    return parseUrl(path, originOf(this.options.target));
  }

  private add(found: Omit<FoundRequest, 'url'> & { readonly url: URL | null }, isGiven = false): void {
    const { url } = found;
    if (url !== null) this.options.frontier.add({ ...found, url }, isGiven);
  }

  private async keep({ request, source, segments }: Admitted, page: Page | null): Promise<void> {
    if (/\/graphql$/i.test(pathOf(request.path))) this.graphql.add(pathOf(request.path));
    if (page === null || (NOT_THERE.has(page.status) && GUESSED.has(source))) return;
    await yieldToEventLoop();
    this.watched.offer(request, page);
    for await (const found of inTurns(this.references(page))) this.add(found, found.source === 'openapi');
    // Some sites answer any path with a page.
    if (source === 'usual') return;
    this.keepCookies(page);
    const crawled = { shape: pageShapeOf(request), path: request.path, status: page.status, source };
    const points =
      NOT_THERE.has(page.status) && source === 'link'
        ? []
        : await this.steady(this.newPoints(request, segments, page), page);
    await this.options.inventory.addPages([crawled]);
    if (points.length > 0) await this.options.inventory.addPoints(points);
    this.options.onFound([crawled], points);
  }

  private async answer(request: SentRequest): Promise<Page | null> {
    try {
      return await this.options.ask(request);
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return null;
    }
  }

  /** A page that was seen under another address leads nowhere else. */
  private references(page: Page): Iterable<FoundRequest> {
    const to = redirectOf(page);
    if (to !== null) {
      to.hash = '';
      return [{ url: to, source: 'redirect' }];
    }
    const digest = createHash('sha256').update(page.body).digest('base64');
    if (this.bodies.has(digest)) return [];
    this.bodies.add(digest);
    const type = typeOf(page);
    if (/html/i.test(type)) return referencesIn(page);
    const document = openapiIn(page);
    if (document !== null) return this.ofOpenapi(document, page.url);
    if (/javascript|ecmascript|json/i.test(type)) return this.ofScript(page);
    const named = (source: string) => (url: URL) => ({ url, source });
    return [
      ...pathsOfRobots(page).map(named('robots')),
      ...sitemapsOf(page).map(named('sitemap')),
      ...locationsOfSitemap(page).map(named('sitemap')),
    ];
  }

  private ofOpenapi(document: JsonRecord, url: string): Iterable<FoundRequest> {
    const server = foreignServerIn(document, url);
    const own = new URL(url);
    if (server !== null)
      this.notes.add(`${own.pathname} describes an API at ${server}; its paths were requested at ${own.origin}`);
    return requestsOfOpenapi(document, url);
  }

  private ofScript({ text, url }: Page): FoundRequest[] {
    this.scripts += 1;
    if (this.scripts > MAX_SCRIPTS) return [];
    const map = sourceMapOf(text);
    return [...addressesInScript(text), ...(map === null ? [] : [map])].flatMap((address) => {
      const found = parseUrl(address, map === address ? url : originOf(this.options.target));
      return found === null ? [] : [{ url: found, source: 'script' }];
    });
  }

  private keepCookies({ headers }: Page): void {
    for (const field of headers.all('set-cookie')) {
      const [, name = '', value = ''] = /^([^=;\s]{1,100})=([^;]{0,500})/.exec(field) ?? [];
      if (name !== '' && !isSessionCookie(name, value) && this.cookies.size < MAX_COOKIES)
        this.cookies.set(name, value);
    }
  }

  /** Points of a request that no earlier one had. */
  private newPoints(request: SentRequest, given: readonly number[], page: Page): InsertionPoint[] {
    const { method = 'GET', headers } = request;
    const shape = shapeOf(request.path);
    const isFirst = !this.shapes.has(shape) && page.status < 400;
    if (isFirst) this.shapes.add(shape);
    const usualHeaders = isFirst && method === 'GET' ? headersFor(this.shapes.size) : [];
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent: SentRequest =
      usualHeaders.length > 1 && cookies !== '' && headers === undefined
        ? { ...request, headers: [['Cookie', cookies]] }
        : request;
    const segments = [...given, ...this.valueSegments(request.path, page)];
    return pointsOf(sent, { segments, usualHeaders }).flatMap((point) => {
      // Cookies of the site belong to the points that are about them.
      const own = point.kind === 'cookie' ? point : { ...point, request };
      const key = pointKey(own);
      if (this.points.has(key)) return [];
      this.points.add(key);
      return [own];
    });
  }

  /** Headers and cookies are tested where the page is built alike when it is read again. */
  private async steady(points: InsertionPoint[], page: Page): Promise<InsertionPoint[]> {
    const isOfPage = ({ kind }: InsertionPoint): boolean => kind === 'header' || kind === 'cookie';
    const request = points.find(isOfPage)?.request;
    const again = request === undefined ? null : await this.answer(request);
    if (request === undefined || (again !== null && (await isBuiltAlike(page, again)))) return points;
    return points.filter((point) => !isOfPage(point));
  }

  private valueSegments(path: string, { status }: Page): number[] {
    const segments = pathOf(path).split('/');
    const name = segments.at(-1) ?? '';
    if (status !== 200 || name === '' || /\.\w{1,5}$/.test(name)) return [];
    const folder = shapeOf(segments.slice(0, -1).join('/'));
    if (folder === '') return [];
    const names = this.siblings.get(folder) ?? new Set();
    this.siblings.set(folder, names.add(name));
    return names.size >= MANY_SIBLINGS ? [segments.length - 1] : [];
  }
}
