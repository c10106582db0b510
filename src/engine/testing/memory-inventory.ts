import type { ActiveInventory, CrawledPage, KnownPoint } from '../active/active-scan-request';
import type { InsertionPoint } from '../experiment-record';
import { pointKey } from '../active/insertion-point';
import type { CheckResult } from '../check-result';

const isKnown = (one: readonly [string, InsertionPoint | undefined]): one is readonly [string, InsertionPoint] =>
  one[1] !== undefined;

/** An inventory of several jobs in memory, which behaves like one in a database. */
export class MemoryInventory implements ActiveInventory {
  readonly pages: CrawledPage[] = [];
  readonly points = new Map<string, KnownPoint & { readonly point: InsertionPoint }>();
  readonly results: CheckResult[] = [];
  readonly leftOut = new Map<string, CrawledPage>();
  notes: readonly string[] = [];
  unread: string | null = null;
  isCrawled = false;

  async load(): ReturnType<ActiveInventory['load']> {
    return { pages: [...this.pages, ...this.leftOut.values()], isCrawled: this.isCrawled };
  }

  async listPoints(): ReturnType<ActiveInventory['listPoints']> {
    return [...this.points.values()].map(({ key, kind, testedAt, isTestedByThisJob }) => ({
      key,
      kind,
      testedAt,
      isTestedByThisJob,
    }));
  }

  async readPoints(keys: readonly string[]): ReturnType<ActiveInventory['readPoints']> {
    return new Map(keys.flatMap((key) => [[key, this.points.get(key)?.point] as const]).filter(isKnown));
  }

  async addPages(pages: readonly CrawledPage[]): Promise<void> {
    this.pages.push(...pages.filter(({ leftOut = null }) => leftOut === null));
    for (const page of pages) if (page.leftOut != null) this.leftOut.set(`${page.leftOut.method} ${page.path}`, page);
  }

  async addPoints(points: readonly InsertionPoint[]): Promise<void> {
    for (const point of points) {
      const key = pointKey(point);
      if (!this.points.has(key))
        this.points.set(key, { key, kind: point.kind, point, testedAt: null, isTestedByThisJob: false });
    }
  }

  async endCrawl(notes: readonly string[], unread: string | null): Promise<void> {
    this.notes = notes;
    this.unread = unread;
    this.isCrawled = true;
  }

  async finishPoint(key: string, results: readonly CheckResult[]): Promise<void> {
    const known = this.points.get(key);
    if (known === undefined) throw new Error(`unknown point ${key}`);
    this.points.set(key, { ...known, testedAt: new Date(), isTestedByThisJob: true });
    this.results.push(...results);
  }

  /** Begins the next job of the same origin. */
  beginJob(): void {
    this.isCrawled = false;
    this.results.length = 0;
    for (const [key, point] of this.points) this.points.set(key, { ...point, isTestedByThisJob: false });
  }
}
