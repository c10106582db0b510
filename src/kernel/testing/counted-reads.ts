/** The items, and how often a property of any of them was read: work that compares each with all reads it n² times. */
export function countedReads<Item extends object>(
  items: readonly Item[],
  property: keyof Item,
): { readonly items: Item[]; readonly reads: () => number } {
  let reads = 0;
  const watched = items.map((item) =>
    Object.defineProperty({ ...item }, property, {
      enumerable: true,
      get: () => {
        reads += 1;
        return item[property];
      },
    }),
  );
  return { items: watched, reads: () => reads };
}
