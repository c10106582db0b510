import { type Page, type Position, type Slice, MAX_COUNT, offsetOf, sliceOf } from '../../kernel/page';
import type { Database } from './database';
import { type Sql, emptySql, join, raw, sql } from './sql';

/**
 * The order of a list: by these expressions, all descending, the last of them unique. All have one direction, so that an
 * index finds a position with one comparison of rows. That is why a list sorted by ascending priority is sorted by its negative.
 */
export class ListOrder<Row extends object> {
  private readonly sortValues: Sql;
  private readonly descending: Sql;
  private readonly ascending: Sql;

  constructor(
    private readonly expressions: readonly string[],
    readonly positionOf: (row: Row) => Position,
    private readonly type: 'bigint' | 'uuid' = 'bigint',
  ) {
    this.sortValues = raw(`(${expressions.join(', ')})`);
    this.descending = raw(`ORDER BY ${expressions.map((expression) => `${expression} DESC`).join(', ')}`);
    this.ascending = raw(`ORDER BY ${expressions.join(', ')}`);
  }

  /** Ends a statement after its WHERE clause: the position, the order and the limit of a page. */
  page(page: Page): Sql {
    return sql`${this.fromPosition(page)} ${this.by(page)} LIMIT ${page.perPage + 1} OFFSET ${offsetOf(page)}`;
  }

  /** The same for each of several lists, which are merged to one page afterwards. */
  pageToMerge(page: Page): Sql {
    return sql`${this.fromPosition(page)} ${this.by(page)} LIMIT ${offsetOf(page) + page.perPage + 1}`;
  }

  by({ before }: Page): Sql {
    return before === undefined ? this.descending : this.ascending;
  }

  private fromPosition({ after, before }: Page): Sql {
    const position = after ?? before;
    if (position === undefined) return emptySql;
    if (position.length !== this.expressions.length) throw new Error('The position is of another order');
    const cast = raw(`::${this.type}`);
    const values = join(
      position.map((value) => sql`${value}${cast}`),
      ', ',
    );
    return sql` AND ${this.sortValues} ${raw(after === undefined ? '>' : '<')} (${values})`;
  }
}

/** Newest first. */
export const byId = <Row extends { readonly id: number }>(column: string): ListOrder<Row> =>
  new ListOrder<Row>([column], ({ id }) => [id]);

export interface ListStatements {
  /** Selects the rows of the page. */
  readonly rows: Sql;
  /** `FROM … WHERE …` of the whole list, for counting. */
  readonly list: Sql;
  /** Whether an index alone finds the rows of the page, near the start of the list. */
  readonly isShort?: boolean;
}

export const isUnfiltered = (filter: object): boolean => Object.values(filter).every((value) => value === undefined);

/** PostgreSQL reads that many entries of an index within a fraction of a millisecond. */
const MAX_SHORT_OFFSET = 1_000;

/** Reads a page, and counts the list if that was requested. */
export async function readSlice<Row extends object>(
  database: Database,
  page: Page,
  order: ListOrder<Row>,
  { rows, list, isShort = false }: ListStatements,
): Promise<Slice<Row>> {
  const slice = sliceOf(
    await (isShort && offsetOf(page) <= MAX_SHORT_OFFSET ? database.shortRows<Row>(rows) : database.rows<Row>(rows)),
    page,
    order.positionOf,
  );
  if (page.isCounted !== true) return slice;
  const total = isWholeList(page, slice) ? slice.items.length : await countUpTo(database, list, MAX_COUNT);
  return { ...slice, total };
}

/** The first page without a next one needs no count. */
export const isWholeList = ({ page, after, before }: Page, { next }: Slice<unknown>): boolean =>
  page === 1 && after === undefined && before === undefined && next === undefined;

/** At most one more than `most`. */
export async function countUpTo(database: Database, list: Sql, most: number): Promise<number> {
  const row = await database.row<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM (SELECT 1 ${list} LIMIT ${most + 1}) list`,
  );
  return row?.total ?? 0;
}
