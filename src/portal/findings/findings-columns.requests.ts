import { Transform } from 'class-transformer';
import { field, Flag, passes, Text } from '../../platform/http/fields';

export const COLUMN_NAMES = [
  'severity',
  'priority',
  'belief',
  'asset',
  'status',
  'last_retest',
  'due',
  'found',
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

const FIRST_COLUMNS = COLUMN_NAMES.filter((name) => name !== 'found');

/** Those that are stored and that the list still has. */
export const shownColumnsOf = (stored: readonly string[] | null): ReadonlySet<ColumnName> =>
  new Set(stored === null ? FIRST_COLUMNS : COLUMN_NAMES.filter((name) => stored.includes(name)));

const isColumn = (name: unknown): boolean => COLUMN_NAMES.some((column) => column === name);

export class ColumnsForm {
  /** The browser sends a field for each checkbox that is checked. The last transformation is applied first. */
  @field({
    validators: [
      passes((names) => Array.isArray(names) && names.length <= COLUMN_NAMES.length && names.every(isColumn)),
    ],
    sentence: `must be some of: ${COLUMN_NAMES.join(', ')}`,
    schema: { type: 'array', items: { type: 'string' } },
  })
  @Transform(({ obj }: { obj: { column?: unknown } }) => [obj.column ?? []].flat())
  column!: ColumnName[];

  @Flag({ optional: true })
  compact?: boolean;

  /** The filters of the list, to return to it. */
  @Text(0, 2_000, { optional: true })
  query?: string;
}
