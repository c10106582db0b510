import type { Page } from '../../kernel/page';
import { type Sql, emptySql, raw, sql } from './sql';

/** Excludes records that were created after the first page was read, if the page has `until`. */
export const limitToPage = ({ until }: Page, column: string): Sql =>
  until === undefined ? emptySql : sql` AND ${raw(column)} <= ${until}`;
