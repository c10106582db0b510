import { experimentOf } from '../baseline';
import { shownPaths } from '../observe';
import type { Page } from '../page';
import type { ProbeRequest } from '../probe';
import type { SentRequest } from '../sent-request';
import { ProbeSession, type ProbeSessions } from '../probe-session';
import { ANY_PARAMETER } from '../spots';
import { SessionEnded } from '../signed-in/account';
import { attempted, inTwoAttempts, ofAccount, proved, redacted } from '../signed-in/in-session';
import { isWeb, parseLocation } from '../target';
import type { Via } from '../transport/transport';
import type { ActiveProgress, ActiveScan, ActiveScanRequest, CrawledPage, KnownPoint } from './active-scan-request';
import { Crawl } from './crawl/crawl';
import { Frontier } from './crawl/frontier';
import { type FormFinder, formFinderOf } from './forms/form-finder';
import { pointAt, shapeOf } from './insertion-point';
import { withoutSecrets } from './inventory-without-secrets';
import { oldestFirst } from './oldest-first';
import { pageOrNull } from './page-or-null';
import { PointTest, type PointToTest } from './point-test';
import { ScanEnd, Traffic, type Used } from './traffic';

/** The crawl's share of requests and time; the rest is for testing points. */
const SHARE_OF_CRAWL = 1 / 3;
/** Pages with points that are watched for the health of the target, besides the start page. */
const FURTHER_REFERENCES = 2;
const UNREAD = 'not all pages were read, because a job reads 2,000 with a third of its requests and of its time';
/** Points that are tested at the same time while nothing measures time. */
const CONCURRENCY = 2;
/** The number of points whose requests are read at once. */
const BATCH = 50;
const NO_ANSWER = 'the target does not answer, or fails';

/** While pages are read, a turn of this many points is tested after this many steps of the crawl. */
const STEPS_OF_CRAWL = 25;
const POINTS_OF_TURN = 16;

/** Crawls a site, and tests each of its insertion points with each check. */
class ActiveRun {
  private readonly pages = new Map<string, CrawledPage>();
  /** Points that the rules do not allow to test at the moment. */
  private readonly closed = new Set<string>();
  private readonly forms: FormFinder | null;
  /** Why points were left to the next job, or null. */
  left: string | null = null;
  private points = 0;
  private tested = 0;
  private steps = 0;
  private hasLearned = false;
  private usedByTests: Used = { requests: 0, ms: 0 };

  constructor(
    private readonly request: ActiveScanRequest,
    private readonly traffic: Traffic,
    private readonly frontier = new Frontier(
      request.target,
      request.isInScope ?? (() => true),
      request.stated,
      request.via.session !== undefined,
      request.limits.pages,
    ),
  ) {
    this.forms = formFinderOf(request, frontier, (points) => (this.points += points.length));
  }

  get progress(): ActiveProgress {
    const pages = [...this.pages.values()];
    const shapes = new Set(pages.map(({ shape }) => shape)).size;
    return { pages: pages.length, shapes, points: this.points, tested: this.tested };
  }

  async run(): Promise<void> {
    const { inventory, target } = this.request;
    const { pages, isCrawled } = await inventory.load();
    await this.traffic.health.learn({ path: target.path });
    this.keepPages(pages);
    await this.addPointsOfFindings();
    if (!isCrawled) await this.crawl(pages);
    const open = await this.open();
    if (this.request.checks.length === 0) return;
    for (let at = 0; at < open.length; at += BATCH) await this.testAll(open.slice(at, at + BATCH));
  }

  /** The points that this job has not tested yet, in their order. */
  private async open(): Promise<KnownPoint[]> {
    const points = (await this.request.inventory.listPoints()).filter(({ key }) => !this.closed.has(key));
    const open = points.filter((one) => !one.isTestedByThisJob).sort(oldestFirst);
    this.points = points.length;
    this.tested = points.length - open.length;
    return open;
  }

  private async testAll(batch: readonly KnownPoint[]): Promise<void> {
    const testable = await this.testable(batch.map(({ key }) => key));
    const keys = new Set(testable.map(({ key }) => key));
    for (const { key } of batch) if (!keys.has(key)) this.closed.add(key);
    this.points -= batch.length - testable.length;
    if (testable.length > 0 && !(this.hasLearned && this.traffic.health.isKnown)) await this.learnFrom(testable);
    await this.test(testable);
  }

  /**
   * Tests new points while pages are still read, so that results show in the first minutes of a job. Returns whether it sent
   * anything.
   */
  private async afterStep(): Promise<boolean> {
    this.steps += 1;
    if (this.steps % STEPS_OF_CRAWL !== 0 || this.request.checks.length === 0) return false;
    const before = this.traffic.used;
    const fresh = (await this.open()).filter(({ testedAt }) => testedAt === null);
    await this.testAll(fresh.slice(0, POINTS_OF_TURN));
    const { requests, ms } = this.traffic.used;
    const { usedByTests: all } = this;
    this.usedByTests = { requests: all.requests + requests - before.requests, ms: all.ms + ms - before.ms };
    return requests > before.requests;
  }

  private async learnFrom(points: readonly PointToTest[]): Promise<void> {
    const { health } = this.traffic;
    this.hasLearned = true;
    const reading = points.filter(({ point }) => point.request.submits === undefined);
    const shapes = new Map(reading.map(({ point }) => [shapeOf(point.request.path), point.request]));
    for (const request of [...shapes.values()].slice(0, FURTHER_REFERENCES)) await health.learn(request);
    if (!health.isKnown) throw this.traffic.end(new ScanEnd('stopped', NO_ANSWER));
  }

  /** Adds the points of known findings, which the next crawl may not find again. */
  private async addPointsOfFindings(): Promise<void> {
    const { previousFindings = [], checks, inventory } = this.request;
    const ids = new Set(checks.map(({ id }) => id));
    const points = previousFindings.flatMap(({ check, location, baseline }) => {
      const place = parseLocation(location);
      if (!ids.has(check) || !isWeb(place) || (place.parameter ?? ANY_PARAMETER) === ANY_PARAMETER) return [];
      return [experimentOf(baseline)?.point ?? pointAt(place, shownPaths(baseline))];
    });
    const allowed = points.filter(({ request }) => this.allows(request));
    if (allowed.length > 0) await inventory.addPoints(allowed);
  }

  /** The next job goes on with the points of a form that was submitted often enough. */
  private isOpen(request: SentRequest): boolean {
    const reason = request.submits === undefined ? null : (this.traffic.via.submissions?.usedUp(request) ?? null);
    this.left ??= reason;
    return reason === null;
  }

  private allows(request: SentRequest): boolean {
    return request.submits === undefined ? this.frontier.allows(request) : this.forms?.allows(request) === true;
  }

  /** Leaves out points that stricter rules no longer allow, and those that may not be submitted. */
  private async testable(keys: readonly string[]): Promise<PointToTest[]> {
    const points = await this.request.inventory.readPoints(keys);
    return keys.flatMap((key) => {
      const point = points.get(key);
      return point !== undefined && this.allows(point.request) ? [{ key, point }] : [];
    });
  }

  private async crawl(known: readonly CrawledPage[]): Promise<void> {
    const { target, inventory, transport, seeds, imported } = this.request;
    let { via } = this.traffic;
    const ask = (request: ProbeRequest): Promise<Page> =>
      new ProbeSession(transport, via).probe(target).requestPage(request);
    const attempt = <T>(work: () => Promise<T>): Promise<{ readonly value: T } | null> =>
      attempted(this.traffic.via, async (session) => {
        via = session;
        try {
          return await work();
        } finally {
          via = this.traffic.via;
        }
      });
    const crawl = new Crawl({
      target,
      frontier: this.frontier,
      inventory,
      ask,
      attempt,
      leaveOut: (request) => this.traffic.via.session?.leaveOut?.(request),
      isOver: () => this.traffic.hasUsed(SHARE_OF_CRAWL, this.usedByTests),
      afterStep: () => this.afterStep(),
      forms: this.forms ?? undefined,
      onFound: (pages, points) => {
        this.keepPages(pages);
        this.points += points.length;
      },
    });
    const notes = await crawl.run({ seeds, imported }, known);
    await this.forms?.submitAll(async (request) => {
      const answered = await inTwoAttempts(() => attempt(() => pageOrNull(() => ask(request))));
      return answered?.value ?? null;
    });
    await inventory.endCrawl(notes, crawl.isCutOff || this.frontier.isFull ? UNREAD : (this.forms?.untested ?? null));
  }

  private async test(points: readonly PointToTest[]): Promise<void> {
    const sessions = new Map<unknown, Map<string, ProbeSessions>>();
    for (let at = 0; at < points.length; at += CONCURRENCY) {
      const now = points.slice(at, at + CONCURRENCY).filter(({ point }) => this.isOpen(point.request));
      for (const one of await proved(this.traffic.via, (via) => this.testOf(now, via, sessions))) {
        await this.request.inventory.finishPoint(one.tested.key, redacted(this.traffic.via, one.results));
        this.tested += 1;
      }
    }
  }

  /** Verifications in one session share their responses. */
  private async testOf(
    points: readonly PointToTest[],
    via: Via,
    all: Map<unknown, Map<string, ProbeSessions>>,
  ): Promise<PointTest[]> {
    const sessions = all.get(via.session) ?? new Map<string, ProbeSessions>();
    all.set(via.session, sessions);
    const tests = points.map((tested) => new PointTest(this.request, tested, via, sessions));
    await Promise.all(tests.map((one) => one.runFirst()));
    for (const one of tests) await one.runLast();
    return tests;
  }

  private keepPages(pages: readonly CrawledPage[]): void {
    this.request.via.submissions?.knows(pages);
    for (const page of pages) this.pages.set(`${page.shape} ${page.path}`, page);
  }
}

/** Finds pages and insertion points, and tests them until the budget is used up. Points with the oldest test come first. */
export async function activeScan(asked: ActiveScanRequest): Promise<ActiveScan> {
  const { via, inventory } = asked;
  const request = {
    ...asked,
    previousFindings: ofAccount(via, asked.previousFindings),
    inventory: via.session === undefined ? inventory : withoutSecrets(inventory, via),
  };
  const traffic = new Traffic(request);
  const run = new ActiveRun(request, traffic);
  try {
    await run.run();
    return { ...run.progress, end: 'complete', reason: run.left };
  } catch (error) {
    const { ended } = traffic;
    if (error instanceof SessionEnded && ended?.end !== 'aborted')
      return { ...run.progress, end: 'unproved', reason: error.message };
    if (ended === null) throw error;
    return { ...run.progress, end: ended.end, reason: ended.message };
  } finally {
    traffic.close();
  }
}
