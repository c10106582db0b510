import { type ActiveInventory, type InsertionPoint, pointKey } from '../../src/engine';

type Loaded = Awaited<ReturnType<ActiveInventory['load']>>;
type Results = Parameters<ActiveInventory['finishPoint']>[1];

/** The inventory of one scan, which nothing interrupts. */
export class InventoryInMemory implements ActiveInventory {
  readonly results: Results[number][] = [];
  private readonly pages: Loaded['pages'][number][] = [];
  private readonly points = new Map<string, InsertionPoint>();
  private readonly tested = new Set<string>();
  private isCrawled = false;

  load(): Promise<Loaded> {
    const points = [...this.points].map(([key, point]) => ({
      key,
      point,
      testedAt: null,
      isTestedByThisJob: this.tested.has(key),
    }));
    return Promise.resolve({ pages: this.pages, points, isCrawled: this.isCrawled });
  }

  addPages(pages: Loaded['pages']): Promise<void> {
    this.pages.push(...pages);
    return Promise.resolve();
  }

  addPoints(points: readonly InsertionPoint[]): Promise<void> {
    for (const point of points) if (!this.points.has(pointKey(point))) this.points.set(pointKey(point), point);
    return Promise.resolve();
  }

  endCrawl(): Promise<void> {
    this.isCrawled = true;
    return Promise.resolve();
  }

  finishPoint(key: string, results: Results): Promise<void> {
    this.tested.add(key);
    this.results.push(...results);
    return Promise.resolve();
  }
}
