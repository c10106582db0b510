import { Flag, Text } from '../../platform/http/fields';

export const COLUMN_NAMES = ['severity', 'priority', 'asset', 'status', 'last_retest', 'due', 'found'] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

const FIRST_COLUMNS: ReadonlySet<ColumnName> = new Set(COLUMN_NAMES.filter((name) => name !== 'found'));

/** Those that are stored and that the list still has. */
export const shownColumnsOf = (stored: readonly string[] | null): ReadonlySet<ColumnName> =>
  stored === null ? FIRST_COLUMNS : new Set(COLUMN_NAMES.filter((name) => stored.includes(name)));

/** The browser sends a field for each checkbox that is checked. */
export class ColumnsForm {
  @Flag({ optional: true })
  severity?: boolean;

  @Flag({ optional: true })
  priority?: boolean;

  @Flag({ optional: true })
  asset?: boolean;

  @Flag({ optional: true })
  status?: boolean;

  @Flag({ optional: true })
  last_retest?: boolean;

  @Flag({ optional: true })
  due?: boolean;

  @Flag({ optional: true })
  found?: boolean;

  @Flag({ optional: true })
  compact?: boolean;

  /** The filters of the list, to return to it. */
  @Text(0, 2_000, { optional: true })
  query?: string;

  get columns(): ColumnName[] {
    return COLUMN_NAMES.filter((name) => this[name] === true);
  }
}
