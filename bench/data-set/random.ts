/** A seeded generator (mulberry32), so that the data set is the same in every run. */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  integerBelow(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.integerBelow(items.length)];
    if (item === undefined) throw new Error('the list is empty');
    return item;
  }
}

/** Chooses indexes with the weights 1, 1/2, 1/3 … (Zipf), because a few tenants have most data. */
export class Skewed {
  private readonly sums: Float64Array;

  constructor(size: number) {
    this.sums = new Float64Array(size);
    let sum = 0;
    for (let place = 0; place < size; place++) this.sums[place] = sum += 1 / (place + 1);
  }

  choose(random: Random): number {
    const wanted = random.next() * (this.sums.at(-1) ?? 0);
    let low = 0;
    let high = this.sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
