import { blockReason } from '../../response-trust';
import { type Page, redirectOf } from '../../page';
import { saidInBody } from '../../request-body';
import type { SentRequest } from '../../sent-request';
import type { Target, WebTarget } from '../../target';
import type { ViaSubmissions } from '../../transport/via-submissions';
import type { ActiveInventory, ActiveScanRequest, CrawledPage, StatedPaths } from '../active-scan-request';
import { Decisions } from '../crawl/decisions';
import type { FoundRequest } from '../crawl/found-request';
import { type Frontier, OUT_OF_SCOPE, pageShapeOf, type RefusalOfRequest } from '../crawl/frontier';
import type { InsertionPoint } from '../../experiment-record';
import { pathOf } from '../insertion-point';
import { pointsOf } from '../points/points-of';
import { type Judged, refusalOfForm } from './form-rule';
import { type FoundForm, formsIn, MARK, operationIn } from './found-form';

const MOST_FORMS = 100;
/** Of those that are left out, this many are listed. */
const MOST_KNOWN = 1_000;
const UNTESTED = 'forms were left out that could not be submitted';
const NOT_SERVED = new Set([401, 403, 404, 405, 410, 415, 501]);

interface FormFinderOptions {
  readonly target: WebTarget;
  readonly inventory: Pick<ActiveInventory, 'addPages' | 'addPoints'>;
  readonly submissions: ViaSubmissions;
  readonly isSignedIn: boolean;
  readonly isInScope: (place: Target) => boolean;
  readonly stated: (place: Target) => StatedPaths;
  /** Whether the crawl may request it. */
  readonly mayRead: (request: SentRequest) => boolean;
  readonly onFound: (points: readonly InsertionPoint[]) => void;
}

/** Null if there is no response that counts. */
type Answer = (request: SentRequest) => Promise<Page | null>;

const keyOf = ({ request, fields }: FoundForm): string =>
  `${pathOf(request.path)} ${fields
    .map(({ name }) => name)
    .sort()
    .join(' ')}`;

/** Why the response to its first submission is none of the form, or null. */
function whyUntested(page: Page | null): string | null {
  if (page === null) return 'there was no response to it';
  return blockReason(page) ?? (NOT_SERVED.has(page.status) ? `the response to it was ${page.status}` : null);
}

/** Finds the forms and writing operations of a site, submits each once, and makes points of their fields. */
export class FormFinder {
  private readonly queue: FoundForm[] = [];
  private readonly known = new Set<string>();
  private readonly decisions: Decisions;
  private readonly further: FoundForm[] = [];
  /** Why forms are not tested that the rules allow, or null. */
  untested: string | null = null;

  constructor(private readonly options: FormFinderOptions) {
    this.decisions = new Decisions(options.stated);
  }

  /** Whether it decides about a request that the crawl has found. */
  takes(found: FoundRequest): boolean {
    if (found.source === 'form' && found.sent?.method === 'POST') return true;
    const operation = found.source === 'openapi' ? operationIn(found) : null;
    if (operation !== null && found.url.origin === this.origin) this.add(operation);
    return operation !== null;
  }

  async offer(request: SentRequest, page: Page): Promise<void> {
    if (page.status !== 200 || (request.method ?? 'GET') !== 'GET') return;
    for (const form of await formsIn(page, request)) if (this.isOwn(page)) this.add(form);
  }

  /** Whether a point of an earlier job may still be tested. Its form is judged again before each submission. */
  allows(request: SentRequest): boolean {
    const { path } = request;
    return this.ruleAgainst({ path, label: '', fields: saidInBody(request), obstacle: null }) === null;
  }

  /** Submits one after the other. The forms of further steps are found meanwhile. */
  async submitAll(answer: Answer): Promise<void> {
    for (let form = this.queue.shift(); form !== undefined; form = this.queue.shift()) {
      const refusal = this.ruleAgainst({ ...form, path: form.request.path });
      if (refusal === null) await this.submit(form, answer);
      else await this.options.inventory.addPages([this.leftOut(form, refusal)]);
    }
    for (const form of this.further.splice(0)) await this.leaveUntested(form, `a test submits ${MOST_FORMS} forms`);
  }

  private get origin(): string {
    const { scheme, host, port } = this.options.target;
    return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/`).origin;
  }

  private isOwn({ url }: Page): boolean {
    return new URL(url).origin === this.origin;
  }

  private add(form: FoundForm): void {
    const key = keyOf(form);
    if (this.known.has(key)) return;
    const isFurther = this.known.size >= MOST_FORMS;
    if (isFurther) this.untested = UNTESTED;
    if (this.known.size >= MOST_KNOWN) return;
    this.known.add(key);
    (isFurther ? this.further : this.queue).push(form);
  }

  private ruleAgainst(form: Judged): RefusalOfRequest | null {
    const { isInScope, isSignedIn, target } = this.options;
    const place = { ...target, path: pathOf(form.path) };
    if (!isInScope(place)) return OUT_OF_SCOPE;
    return refusalOfForm(form, {
      isSignedIn,
      isForbidden: (path) => this.decisions.isForbidden(place, path),
      isAllowed: (path) => this.decisions.isAllowed(place, path),
    });
  }

  private leftOut({ request, source }: FoundForm, refusal: RefusalOfRequest): CrawledPage {
    const { method, path } = request;
    return {
      shape: pageShapeOf({ method, path }),
      path,
      status: null,
      source,
      leftOut: { ...refusal, method: method ?? 'POST', count: 1 },
    };
  }

  private async leaveUntested(form: FoundForm, reason: string): Promise<void> {
    const refusal = this.ruleAgainst({ ...form, path: form.request.path });
    if (refusal === null) this.untested = UNTESTED;
    await this.options.inventory.addPages([this.leftOut(form, refusal ?? { by: 'form', reason, isAllowable: false })]);
  }

  private async submit(form: FoundForm, answer: Answer): Promise<void> {
    const { request } = form;
    const page = await answer(request);
    const reason = whyUntested(page);
    if (page === null || reason !== null) return this.leaveUntested(form, reason ?? UNTESTED);
    const ledTo = this.pathAfter(page);
    const next = ledTo === null ? page : await answer({ path: ledTo });
    await this.lookForMark(request, ledTo, answer);
    const points = pointsOf(request);
    if (points.length > 0) await this.options.inventory.addPoints(points);
    this.options.onFound(points);
    if (next === null || ledTo === request.submits.page) return;
    for (const step of await formsIn(next, request)) this.add(step);
  }

  /** Where a redirect leads that may be followed; null for none. */
  private pathAfter(page: Page): string | null {
    const to = redirectOf(page);
    const path = to === null ? '' : `${to.pathname}${to.search}`;
    return to?.origin === this.origin && this.options.mayRead({ path }) ? path : null;
  }

  /** Reads the page of the form again, and where it led: what was entered may stand there. */
  private async lookForMark(request: FoundForm['request'], ledTo: string | null, answer: Answer): Promise<void> {
    const mark = MARK.exec(request.body ?? '')?.[0];
    if (mark === undefined) return;
    const shown: string[] = [];
    for (const path of new Set([request.submits.page, ledTo])) {
      const page = path === null ? null : await answer({ path });
      if (path !== null && page?.text.includes(mark) === true) shown.push(path);
    }
    if (shown.length > 0) await this.options.submissions.shows(request, shown);
  }
}

/** Null where nothing may be submitted. */
export function formFinderOf(
  {
    target,
    inventory,
    isInScope = () => true,
    stated = () => ({ allowed: [], forbidden: [] }),
    via,
  }: ActiveScanRequest,
  frontier: Pick<Frontier, 'allows'>,
  onFound: FormFinderOptions['onFound'],
): FormFinder | null {
  const { submissions, session } = via;
  if (submissions === undefined) return null;
  const mayRead = (request: SentRequest): boolean => frontier.allows(request);
  const isSignedIn = session !== undefined;
  return new FormFinder({ target, inventory, submissions, isSignedIn, isInScope, stated, mayRead, onFound });
}
