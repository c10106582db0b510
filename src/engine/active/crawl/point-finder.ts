import type { ProbeRequest } from '../../probe';
import type { SentRequest } from '../../sent-request';
import type { Page } from '../../page';
import type { InsertionPoint } from '../../experiment-record';
import { pagePathOf } from '../../one-place';
import { pathOf, pointKey, requestWith, shapeOf } from '../insertion-point';
import { isSessionCookie } from '../../session-cookie';
import { pointsOf, USUAL_HEADERS } from '../points/points-of';
import { type Built, builtOf, isBuiltAlike, isSameText } from '../../built-alike';
import { randomWord } from '../../twins';

/** The number of shapes on which all usual headers, and the cookies of other pages, become points. */
const MAX_WITH_HEADERS = 10;
/** The number of shapes on which only the Referer, which most pages use, becomes a point. */
const MAX_WITH_REFERER = 300;
/** With this many siblings, the last part of a path counts as a value. */
const MANY_SIBLINGS = 3;
const MAX_COOKIES = 10;

function headersFor(shapes: number): typeof USUAL_HEADERS {
  if (shapes > MAX_WITH_REFERER) return [];
  return shapes > MAX_WITH_HEADERS ? USUAL_HEADERS.filter(([name]) => name === 'Referer') : USUAL_HEADERS;
}

const atPath = (request: SentRequest, path: string): SentRequest => ({
  ...request,
  path: `${path}${request.path.slice(pathOf(request.path).length)}`,
});

/** Finds the points of pages, without those that an earlier page has. */
export class PointFinder {
  /** The notes for the report of the crawl. */
  readonly notes = new Set<string>();
  private readonly points = new Set<string>();
  /** The path on which each page first had a point, whichever of its addresses that was. */
  private readonly paths = new Map<string, string>();
  private readonly shapes = new Set<string>();
  /** The different responses of each shape with numbers: pages of one shape may still differ. */
  private readonly built = new Map<string, Built[]>();
  private readonly siblings = new Map<string, Set<string>>();
  /** Cookies that the site has set, without session cookies. */
  private readonly cookies = new Map<string, string>();

  constructor(private readonly answer: (request: ProbeRequest) => Promise<Page | null>) {}

  /** Of pages that are not tested, only the cookies are used. */
  async pointsOf(
    request: SentRequest,
    segments: readonly number[],
    page: Page,
    isTested: boolean,
  ): Promise<InsertionPoint[]> {
    this.keepCookies(page);
    if (!isTested) return [];
    const found = await this.steady(this.newPoints(request, segments, page, await this.isOther(request, page)), page);
    const points: InsertionPoint[] = [];
    for (const point of found) if (!(await this.isElsewhere(point))) points.push(point);
    return points;
  }

  /**
   * Whether the point belongs to a page that is known at another address, where responses are the same with and without another
   * value.
   */
  private async isElsewhere(point: InsertionPoint): Promise<boolean> {
    const own = pathOf(point.request.path);
    const place = pointKey({ ...point, request: atPath(point.request, pagePathOf(own)) });
    const first = this.paths.get(place);
    if (first === undefined) this.paths.set(place, own);
    if (first === undefined || pagePathOf(first) !== pagePathOf(own) || first === own) return false;
    for (const value of [point.value, randomWord()]) {
      const at = (path: string): Promise<Page | null> =>
        this.answer(requestWith({ ...point, request: atPath(point.request, path) }, value));
      const [one, other] = [await at(first), await at(own)];
      if (one === null || other === null || !(await isSameText(one, other))) return false;
    }
    this.notes.add(`${own} and ${first} are one page; what both have was tested at ${first} alone`);
    return true;
  }

  private keepCookies({ headers }: Page): void {
    for (const field of headers.all('set-cookie')) {
      const [, name = '', value = ''] = /^([^=;\s]{1,100})=([^;]{0,500})/.exec(field) ?? [];
      if (name !== '' && !isSessionCookie(name, value) && this.cookies.size < MAX_COOKIES)
        this.cookies.set(name, value);
    }
  }

  /** Whether the page is built differently from earlier pages of its shape. */
  private async isOther({ path }: SentRequest, page: Page): Promise<boolean> {
    const shape = shapeOf(path);
    if (shape === pathOf(path) || page.status >= 400) return false;
    const [known, built] = [this.built.get(shape) ?? [], await builtOf(page)];
    if (known.some((one) => isBuiltAlike(one, built))) return false;
    this.built.set(shape, [...known, built]);
    return known.length > 0;
  }

  private newPoints(request: SentRequest, given: readonly number[], page: Page, isOther: boolean): InsertionPoint[] {
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
      // Cookies of the site are only added to points that are about cookies.
      const own = {
        ...(point.kind === 'cookie' ? point : { ...point, request }),
        ...(isOther && point.kind === 'query' && { isOther }),
      };
      const key = pointKey(own);
      if (this.points.has(key)) return [];
      this.points.add(key);
      return [own];
    });
  }

  /** Keeps headers and cookies only if the page is built the same when it is read again. */
  private async steady(points: InsertionPoint[], page: Page): Promise<InsertionPoint[]> {
    const isOfPage = ({ kind }: InsertionPoint): boolean => kind === 'header' || kind === 'cookie';
    const request = points.find(isOfPage)?.request;
    const again = request === undefined ? null : await this.answer(request);
    if (request === undefined || (again !== null && isBuiltAlike(await builtOf(page), await builtOf(again))))
      return points;
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
