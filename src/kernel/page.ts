/** Which slice of a list is asked for. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
  /** Only records with ids up to this one: what came later does not shift the pages. */
  readonly until?: number | string;
}

export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage;

/** One slice of a list, and whether more follows it. */
export interface Slice<T> {
  readonly items: T[];
  readonly more: boolean;
}

/** Reads ask for one row more than a page holds: that row says whether there is a next page, without a count. */
export function sliceOf<T>(rows: T[], { perPage }: Page): Slice<T> {
  return { items: rows.slice(0, perPage), more: rows.length > perPage };
}
