/** The sort values of a record in a list. The last one is unique. */
export type Position = readonly (number | string)[];

/** The requested page of a list. */
export interface Page {
  /** The number of the page. With a position it has no effect on the records. */
  readonly page: number;
  readonly perPage: number;
  /** Only the records that follow this position. */
  readonly after?: Position;
  /** Only the records that precede it. */
  readonly before?: Position;
  /** Whether to count the records of the whole list. */
  readonly isCounted?: boolean;
}

/** One page of a list. */
export interface Slice<T> {
  readonly items: T[];
  /** The position that the next page follows, if there is a next page. */
  readonly next?: Position;
  /** The position that the previous page precedes. Undefined if the page was requested by its number. */
  readonly previous?: Position;
  /** The number of records in the list, up to `most + 1`. Undefined if it was not requested. */
  readonly total?: number;
  /** By default `MAX_COUNT`. */
  readonly most?: number;
}

/** Longer lists are not counted to their end. */
export const MAX_COUNT = 10_000;

/** Lists that are searched by text are counted up to this number. */
export const MAX_FOUND_COUNT = 1_000;

export const offsetOf = ({ page, perPage, after, before }: Page): number =>
  after === undefined && before === undefined ? (page - 1) * perPage : 0;

/**
 * Queries read one row more than a page contains: if it exists, the list continues. The rows before a position are read in
 * the opposite order, closest first.
 */
export function sliceOf<T>(rows: readonly T[], page: Page, positionOf: (row: T) => Position): Slice<T> {
  const isBackwards = page.before !== undefined;
  const continues = rows.length > page.perPage;
  const read = rows.slice(0, page.perPage);
  const items = isBackwards ? read.toReversed() : read;
  const [first, last] = [items[0], items.at(-1)];
  const hasNext = isBackwards || continues;
  const hasPrevious = isBackwards ? continues : page.after !== undefined;
  return {
    items,
    next: hasNext && last !== undefined ? positionOf(last) : undefined,
    previous: hasPrevious && first !== undefined ? positionOf(first) : undefined,
  };
}

/** Of a list of any length: reading very many rows at once would keep others waiting. */
const PORTION = 1_500;

/** The whole list, or its beginning if it has more than `most`. */
export async function readAll<T>(read: (page: Page) => Promise<Slice<T>>, most = Infinity): Promise<T[]> {
  const items: T[] = [];
  let after: Position | undefined;
  do {
    const slice: Slice<T> = await read({ page: 1, perPage: Math.min(PORTION, most - items.length), after });
    items.push(...slice.items);
    after = slice.next;
  } while (after !== undefined && items.length < most);
  return items;
}
