/** What waits, in turn by tenant: however much one tenant has waiting, the next of another is not behind all of it. */
export class FairQueue<Item> {
  /** In the order of their turns. */
  private readonly waiting = new Map<string, Item[]>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  lengthOf(tenant: string): number {
    return this.waiting.get(tenant)?.length ?? 0;
  }

  add(tenant: string, item: Item): void {
    const items = this.waiting.get(tenant);
    if (items === undefined) this.waiting.set(tenant, [item]);
    else items.push(item);
    this.count += 1;
  }

  /** The oldest of the tenant whose turn it is, among those that may have one. */
  take(mayRun: (tenant: string) => boolean): { readonly tenant: string; readonly item: Item } | undefined {
    for (const [tenant, items] of this.waiting) {
      if (!mayRun(tenant)) continue;
      const item = items.shift();
      this.waiting.delete(tenant);
      if (items.length > 0) this.waiting.set(tenant, items);
      if (item === undefined) continue;
      this.count -= 1;
      return { tenant, item };
    }
    return undefined;
  }
}
