/** The requested page of a list. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
  /** Only records with ids up to this one, so that new records do not move records between pages. */
  readonly until?: number | string;
}

export const offsetOf = ({ page, perPage }: Page): number => (page - 1) * perPage;

/** One page of a list. */
export interface Slice<T> {
  readonly items: T[];
  readonly more: boolean;
}

/** Queries read one row more than a page contains: if it exists, there is a next page. That saves a count. */
export function sliceOf<T>(rows: T[], { perPage }: Page): Slice<T> {
  return { items: rows.slice(0, perPage), more: rows.length > perPage };
}
