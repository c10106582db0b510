import type { Page } from '../../kernel/page';
import { type Sql, emptySql, raw, sql } from './sql';

/** Keeps what came after the first page was read out of the pages that follow, where the page says so. */
export const limitToPage = ({ until }: Page, column: string): Sql =>
  until === undefined ? emptySql : sql` AND ${raw(column)} <= ${until}`;
