import { parseUrl } from '../../../kernel/parse-url';
import { ExchangeError } from '../../transport/exchange';
import { type HttpAnswer, type HttpRequest, originOf, urlOf } from '../../transport/http';
import { valuesOfBody } from '../../request-body';
import type { Created, FormNow, KnownPage, ViaSubmissions } from '../../transport/via-submissions';
import type { StatedPaths } from '../active-scan-request';
import { Decisions } from '../crawl/decisions';
import { FORBIDDEN } from '../crawl/frontier';
import { pathOf } from '../insertion-point';
import { type Judged, refusalOfForm } from './form-rule';
import { formsIn, MARK } from './found-form';

/** What a test has submitted to one address, and where it stands. */
export interface Written {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  /** In the values of the first submission; null if there was no place for it. */
  readonly mark: string | null;
  readonly submissions: number;
  /** The pages that show the mark. */
  readonly shownAt: readonly string[];
  /** Addresses of what was created and is still there. */
  readonly left: readonly string[];
  /** How much of it was deleted again. */
  readonly deleted: number;
}

export interface SubmissionLimits {
  readonly perForm: number;
  readonly inAll: number;
}

/** Of a job. */
export const JOB_SUBMISSIONS: SubmissionLimits = { perForm: 200, inAll: 2_000 };
/** A retest repeats one experiment, and needs each repeat. */
export const RETEST_SUBMISSIONS: SubmissionLimits = { perForm: 400, inAll: 400 };

interface SubmissionsOptions {
  readonly limits: SubmissionLimits;
  /** Why this address must not be changed by the rules of now, or null. */
  readonly refusal: (path: string) => string | null | Promise<string | null>;
  /** What admins have decided about addresses there, by the rules of now. */
  readonly stated?: (path: string) => StatedPaths;
  /** What earlier attempts of the job have written. */
  readonly before?: readonly Written[];
  /** Called before each request with what is then written. False if it cannot be listed: nothing is sent then. */
  readonly keep?: (written: Written) => Promise<boolean>;
}

const MOST_ADDRESSES = 50;

const keyOf = ({ method = 'GET', path }: Pick<HttpRequest, 'method' | 'path'>): string => `${method} ${pathOf(path)}`;

/** The form of this action with these values; all of the action if none has them. */
async function formsLike({ page, action, fields }: FormNow): Promise<Judged[]> {
  const path = `${action.pathname}${action.search}`;
  const forms = (await formsIn({ ...page, hops: [] }, { path })).filter(({ request }) => request.path === path);
  const valuesOf = (all: FormNow['fields']): string => JSON.stringify(all.map(({ name, value }) => [name, value]));
  const same = forms.filter((one) => valuesOf(one.fields) === valuesOf(fields));
  return (same.length > 0 ? same : forms).map((one) => ({ ...one, path }));
}

/** Counts and lists all that a test submits. Requests that may change the target pass here, or are not sent. */
export class Submissions implements ViaSubmissions {
  private readonly written = new Map<string, Written>();
  private readonly deletable = new Set<string>();
  private readonly known = new Set<string>();
  private readonly readable = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();
  private readonly decisions: Decisions<string>;
  private count = 0;

  constructor(private readonly options: SubmissionsOptions) {
    this.decisions = new Decisions(options.stated ?? (() => ({ allowed: [], forbidden: [] })));
    for (const one of options.before ?? []) {
      this.written.set(keyOf(one), one);
      this.count += one.submissions;
    }
  }

  get list(): readonly Written[] {
    return [...this.written.values()];
  }

  /** Why no more of this form is submitted, or null. */
  usedUp(request: Pick<HttpRequest, 'method' | 'path'>): string | null {
    const { perForm, inAll } = this.options.limits;
    if (this.count >= inAll) return `the ${inAll} submissions of the test are used up`;
    const submissions = this.written.get(keyOf(request))?.submissions ?? 0;
    return submissions >= perForm ? `the ${perForm} submissions of the form are used up` : null;
  }

  async take(request: HttpRequest): Promise<void> {
    const { method = 'GET', path } = request;
    const refusal = await this.options.refusal(pathOf(path));
    if (refusal !== null) throw new ExchangeError('egress', refusal);
    if (this.decisions.isForbidden(pathOf(path), path)) throw new ExchangeError('egress', FORBIDDEN.reason);
    if (method === 'DELETE') {
      if (!this.deletable.delete(path))
        throw new ExchangeError('egress', 'only what the test itself has created is deleted');
      return;
    }
    const reason = this.usedUp(request);
    if (reason !== null) throw new ExchangeError('egress', reason);
    this.count += 1;
    await this.change(request, (one) => ({ ...one, submissions: one.submissions + 1 }));
  }

  async whyRefused(request: HttpRequest, form: FormNow | null, isSignedIn: boolean): Promise<string | null> {
    const { path, headers, body } = request;
    const sent = typeof body === 'string' ? valuesOfBody({ ...(headers && { headers }), body }) : [];
    // What is entered for the test says nothing about an operation.
    const names = sent.map(({ name }) => ({ name, value: '' }));
    const judged = form === null ? [{ path, label: '', fields: names, obstacle: null }] : await formsLike(form);
    if (judged.length === 0) return 'it is no form that tests submit';
    for (const one of judged) {
      const refusal = refusalOfForm(one, {
        isSignedIn,
        isForbidden: (at) => this.decisions.isForbidden(pathOf(at), at),
        isAllowed: (at) => this.decisions.isAllowed(pathOf(at), at),
      });
      if (refusal !== null) return refusal.by === 'word' ? `it says “${refusal.reason}”` : refusal.reason;
    }
    return null;
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work);
    this.last = mine.catch(() => undefined);
    return mine;
  }

  createdBy(request: HttpRequest, answer: HttpAnswer): Created | null {
    const mark = MARK.exec(String(request.body ?? ''))?.[0] ?? null;
    const location = answer.status === 201 ? answer.headers.get('location') : null;
    const url = location === null ? null : parseUrl(location, urlOf(request));
    if (url === null || url.origin !== originOf(request) || url.username !== '') return null;
    const path = `${url.pathname}${url.search}`;
    // A collection is not what was created in it.
    const isPart =
      pathOf(request.path).startsWith(url.pathname.replace(/\/?$/, '/')) || url.pathname === pathOf(request.path);
    if (isPart || url.pathname === '/') return null;
    return { path, mark: this.isOwn(url, request) ? mark : null };
  }

  /** Other addresses may show the mark too: the page that was commented on is not what was created. */
  private isOwn({ pathname, search }: URL, request: HttpRequest): boolean {
    const own = pathOf(request.path).replace(/\/$/, '');
    const isBelow = own !== '' && pathname.startsWith(`${own}/`) && !/%2f|%5c|%2e/i.test(pathname);
    return isBelow && search === '' && !this.known.has(pathname);
  }

  knows(pages: readonly KnownPage[]): void {
    for (const { path, status, leftOut } of pages) {
      this.known.add(pathOf(path));
      if (status === 200 && (leftOut ?? null) === null) this.readable.add(path);
    }
  }

  get pages(): readonly string[] {
    return [...this.readable];
  }

  mayDelete(path: string): boolean {
    this.deletable.add(path);
    return true;
  }

  cleanedUp(request: HttpRequest, path: string, isGone: boolean): Promise<void> {
    this.deletable.delete(path);
    return this.change(request, (one) => ({
      ...one,
      deleted: one.deleted + Number(isGone),
      left: isGone ? one.left : [...new Set([...one.left, path])].slice(0, MOST_ADDRESSES),
    }));
  }

  /** States that the mark was read on these pages. */
  shows(request: Pick<HttpRequest, 'method' | 'path' | 'body'>, paths: readonly string[]): Promise<void> {
    return this.change(request, (one) => ({
      ...one,
      shownAt: [...new Set([...one.shownAt, ...paths])].slice(0, MOST_ADDRESSES),
    }));
  }

  private async change(
    request: Pick<HttpRequest, 'method' | 'path' | 'body'>,
    to: (one: Written) => Written,
  ): Promise<void> {
    const key = keyOf(request);
    const { method = 'GET', path } = request;
    const none = { method, path: pathOf(path), submissions: 0, shownAt: [], left: [], deleted: 0 };
    const mark = MARK.exec(String(request.body ?? ''))?.[0] ?? null;
    const known = this.written.get(key) ?? { ...none, mark };
    const changed = to({ ...known, mark: known.mark ?? mark });
    this.written.set(key, changed);
    if ((await this.options.keep?.(changed)) === false)
      throw new ExchangeError('egress', 'what it would write cannot be listed any more');
  }
}
