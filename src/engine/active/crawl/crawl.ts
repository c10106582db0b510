import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { JsonRecord } from '../../../kernel/is-record';
import { inTurns } from '../../../kernel/in-turns';
import { parseUrl } from '../../../kernel/parse-url';
import type { ProbeRequest } from '../../probe';
import { type Page, redirectOf } from '../../page';
import { GRAPHQL_PATHS, OPENAPI_PATHS } from '../../protocols/http/api-paths';
import { locationsOfSitemap, pathsOfRobots, sitemapsOf } from '../../site-links';
import { originOf } from '../../transport/http';
import type { ActiveScanRequest, CrawledPage } from '../active-scan-request';
import { pathOf } from '../insertion-point';
import { pageOrNull } from '../page-or-null';
import { type Built, builtOf, isBuiltAlike } from '../../built-alike';
import { inTwoAttempts } from '../../signed-in/in-session';
import type { CrawlOptions } from './crawl-options';
import type { FoundRequest } from './found-request';
import { type Admitted, pageShapeOf } from './frontier';
import { introspectionOf, queriesIn } from './graphql';
import { foreignServerIn, openapiIn, requestsOfOpenapi } from './openapi';
import { PointFinder } from './point-finder';
import { referencesIn } from './references-in';
import { addressesInScript, sourceMapOf } from './script-addresses';
import { WatchedPages } from './watched-pages';

const CONCURRENCY = 2;
const MAX_SCRIPTS = 40;
const NOT_THERE = new Set([404, 405, 410, 501]);
/** Sources with addresses that somebody named. They are tested whatever their response. */
const ASKED_FOR = new Set(['openapi', 'seed']);
/** Has no slash, so that the next job does not request these addresses again. */
const SHAPE_OF_MISSING = 'missing';
/** Sources whose addresses are guessed or may not exist. */
const GUESSED = new Set(['script', 'robots', 'sitemap']);

const USUAL_PATHS = ['/robots.txt', '/sitemap.xml', ...OPENAPI_PATHS];
const MAX_GRAPHQL = 5;

const typeOf = ({ headers }: Page): string => headers.get('content-type') ?? '';

/** Finds pages and insertion points by following what pages lead to. */
export class Crawl {
  private readonly bodies = new Set<string>();
  private readonly graphql = new Set<string>(GRAPHQL_PATHS);
  private readonly notes = new Set<string>();
  /** The different responses to addresses that do not exist. */
  private readonly missing: Built[] = [];
  private readonly finder = new PointFinder((request) => this.answer(request));
  private readonly watched = new WatchedPages((request) => this.answer(request));
  private scripts = 0;
  /** Whether the crawl's share of the budget was used up before the last page. */
  isCutOff = false;

  constructor(private readonly options: CrawlOptions) {}

  /** Returns the notes of the crawl. */
  async run(
    { seeds, imported = [] }: Pick<ActiveScanRequest, 'seeds' | 'imported'>,
    known: readonly CrawledPage[],
  ): Promise<readonly string[]> {
    const { target, frontier } = this.options;
    for (const { path, source, leftOut } of known)
      if (leftOut?.by === 'observed') frontier.close({ request: { path }, source }, leftOut.reason, true);
    for (const seed of seeds) this.add({ url: this.urlOf(seed.path), source: 'seed', sent: seed }, true);
    for (const path of [target.path, '/']) this.add({ url: this.urlOf(path), source: 'start' }, true);
    for (const path of USUAL_PATHS) this.add({ url: this.urlOf(path), source: 'usual' });
    for (const { path, source, shape, leftOut = null } of known)
      if (leftOut === null && shape.startsWith('/')) this.add({ url: this.urlOf(path), source });
    await this.visitAll();
    for (const { path } of imported) this.add({ url: this.urlOf(path), source: 'import' });
    await this.visitAll();
    for (const path of [...this.graphql].slice(0, MAX_GRAPHQL)) await this.introspect(path);
    await this.visitAll();
    return [...this.notes, ...this.finder.notes];
  }

  private async visitAll(): Promise<void> {
    const { frontier } = this.options;
    for (;;) {
      const taken = frontier.take(CONCURRENCY);
      const batch = this.isOverBefore(taken.length) ? [] : taken;
      const leftOut = frontier.takeLeftOut();
      if (leftOut.length > 0) await this.options.inventory.addPages(leftOut);
      if (batch.length === 0) return;
      if (!batch.some(({ isUnknown }) => isUnknown)) this.watched.forget();
      const pages = await this.pagesOf(batch);
      // In order, because the first request that has a point is the one that is tested.
      for (const [index, one] of batch.entries()) await this.keep(one, pages[index] ?? null);
      if ((await this.options.afterStep?.()) === true) this.watched.forget();
    }
  }

  /** Repeats them one by one if the session has ended. A request after which it has ended twice is left out. */
  private async pagesOf(batch: readonly Admitted[]): Promise<readonly (Page | null)[]> {
    const ask = (one: Admitted): Promise<Page | null> => (one.isUnknown ? this.tried(one) : this.answer(one.request));
    const all = await this.options.attempt(() => Promise.all(batch.map(ask)));
    if (all !== null) return all.value;
    const pages: (Page | null)[] = [];
    for (const one of batch) {
      const answered = await inTwoAttempts(() => this.options.attempt(() => ask(one)));
      if (answered === null) {
        this.options.frontier.close(one, 'the session of the account ended after it, twice');
        this.options.leaveOut(one.request);
      }
      pages.push(answered?.value ?? null);
    }
    return pages;
  }

  /** In a session, responses only count if the session was proved after them. */
  private async proved<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    const done = await inTwoAttempts(() => this.options.attempt(work));
    return done === null ? otherwise : done.value;
  }

  /**
   * The response to a request that may change something, which is sent alone. Null if another page has changed after it: it gets
   * no points.
   */
  private async tried(one: Admitted): Promise<Page | null> {
    const { page, change } = await this.watched.around(() => this.answer(one.request));
    if (change === null) return page;
    const { method = 'GET', path } = one.request;
    const note = `after ${method} ${path}, ${change}`;
    this.notes.add(note);
    this.options.frontier.close(one, note);
    return null;
  }

  private isOverBefore(requests: number): boolean {
    const isOver = requests > 0 && this.options.isOver();
    this.isCutOff ||= isOver;
    return isOver;
  }

  private async introspect(path: string): Promise<void> {
    const request = introspectionOf(path);
    const isLeft = !this.options.frontier.allows(request) || this.isOverBefore(1);
    const page = isLeft ? null : await this.proved(() => this.answer(request), null);
    if (page === null) return;
    for (const sent of queriesIn(page, path)) this.add({ url: this.urlOf(path), source: 'graphql', sent }, true);
  }

  private urlOf(path: string): URL | null {
    return parseUrl(path, originOf(this.options.target));
  }

  private add(found: Omit<FoundRequest, 'url'> & { readonly url: URL | null }, isGiven = false): void {
    const { url } = found;
    if (url === null || this.options.forms?.takes({ ...found, url }) === true) return;
    this.options.frontier.add({ ...found, url }, isGiven);
  }

  private async keep({ request, source, segments }: Admitted, page: Page | null): Promise<void> {
    if (/\/graphql$/i.test(pathOf(request.path))) this.graphql.add(pathOf(request.path));
    if (page === null || (NOT_THERE.has(page.status) && GUESSED.has(source))) return;
    await yieldToEventLoop();
    await this.watched.offer(request, page);
    await this.options.forms?.offer(request, page);
    for await (const found of inTurns(this.references(page))) this.add(found, found.source === 'openapi');
    // Some sites answer any path with a page.
    if (source === 'usual') return;
    const isMissing = NOT_THERE.has(page.status) && !ASKED_FOR.has(source);
    const isKnown = isMissing && (await this.isKnownToMiss(page));
    const shape = isKnown ? SHAPE_OF_MISSING : pageShapeOf(request);
    const crawled = { shape, path: request.path, status: page.status, source };
    const isTested = !isKnown && !(isMissing && source === 'link');
    const points = await this.finder.pointsOf(request, segments, page, isTested);
    await this.options.inventory.addPages([crawled]);
    if (points.length > 0) await this.options.inventory.addPoints(points);
    this.options.onFound([crawled], points);
  }

  /** Whether the page is a response to missing addresses. All addresses with the same response count as one page. */
  private async isKnownToMiss(page: Page): Promise<boolean> {
    const built = await builtOf(page);
    if (this.missing.some((one) => isBuiltAlike(one, built))) return true;
    this.missing.push(built);
    return false;
  }

  private answer(request: ProbeRequest): Promise<Page | null> {
    return pageOrNull(() => this.options.ask(request));
  }

  /** The requests that a page leads to. A page that was already seen at another address adds none. */
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
}
