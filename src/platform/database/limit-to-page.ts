import type { Page } from '../../kernel/page';
import { type Sql, nothing, raw, sql } from './sql';

/** Keeps what came after the first page was read out of the pages that follow, where the page says so. */
export const limitToPage = ({ until }: Page, column: string): Sql =>
  until === undefined ? nothing : sql` AND ${raw(column)} <= ${until}`;
