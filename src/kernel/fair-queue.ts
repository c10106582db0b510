/** A queue in which tenants take turns, so that a tenant with many items does not delay the others. */
export class FairQueue<Item> {
  /** Tenants in the order of their turns. */
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

  /** Takes the oldest item of the next tenant that may run it. */
  take(mayRun: (tenant: string, item: Item) => boolean): { readonly tenant: string; readonly item: Item } | undefined {
    for (const [tenant, items] of this.waiting) {
      const [item] = items;
      if (item === undefined || !mayRun(tenant, item)) continue;
      items.shift();
      this.waiting.delete(tenant);
      if (items.length > 0) this.waiting.set(tenant, items);
      this.count -= 1;
      return { tenant, item };
    }
    return undefined;
  }
}
