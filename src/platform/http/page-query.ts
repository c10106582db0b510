import type { Page, Position } from '../../kernel/page';
import { invalid } from '../../kernel/domain-error';
import { type FieldOptions, Flag, Integer, field, passes } from './fields';
import { type LinkPosition, MAX_POSITION_LENGTH, parsePosition } from './link-position';
import { NO_SUCH_UUID, parseUuid } from './path-uuid';

/** So that `page` times `per_page` is an int4. */
const MAX_PAGE = 21_474_836;

const NOT_A_POSITION = 'must be a position from a Link header';

const PositionInLink = (options: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes((value) => typeof value === 'object' && value !== null)],
      sentence: NOT_A_POSITION,
      schema: { type: 'string', minLength: 1, maxLength: MAX_POSITION_LENGTH },
      parse: (text) => parsePosition(text) ?? text,
    },
    { ...options, optional: true },
  );

const isSortValue = {
  integer: (value: number | string) => Number.isSafeInteger(value),
  uuid: (value: number | string) => typeof value === 'string' && parseUuid(value) !== NO_SUCH_UUID,
};

export type SortValue = keyof typeof isSortValue;

/** The parameters of all lists, the same everywhere except for the default of `per_page`. */
export function PageQueryOf(perPage: number) {
  class PagedQuery {
    @Integer(1, MAX_PAGE, {
      optional: true,
      description:
        'The number of the page, from 1. The further back a page is, the longer it takes; the `Link` header has no such cost.',
      default: 1,
    })
    page?: number;

    @Integer(1, 100, { optional: true, description: 'The number of records on a page.', default: perPage })
    per_page?: number;

    @PositionInLink({
      description:
        'The page after this position, which the next link of the `Link` header contains. Only with the filters and the order of that link, and not with `page`.',
    })
    after?: LinkPosition;

    @PositionInLink({ description: 'The page before this position, which the previous link contains.' })
    before?: LinkPosition;

    @Flag({
      optional: true,
      description: 'Whether to return the number of records in the whole list, in the header `X-Total-Count`.',
      default: false,
    })
    count?: boolean;

    /** The types of the values by which the list is sorted. */
    get sortValues(): readonly SortValue[] {
      return ['integer'];
    }

    get slice(): Page {
      const given = (['page', 'after', 'before'] as const).filter((name) => this[name] !== undefined);
      if (given.length > 1) throw invalid(`${given.join(' and ')} exclude each other: give only one of them.`);
      return {
        page: this.page ?? this.after?.page ?? this.before?.page ?? 1,
        perPage: this.per_page ?? perPage,
        after: this.after && requireValues(this.after, 'after', this.sortValues),
        before: this.before && requireValues(this.before, 'before', this.sortValues),
        isCounted: this.count ?? false,
      };
    }
  }
  return PagedQuery;
}

function requireValues({ values }: LinkPosition, name: string, types: readonly SortValue[]): Position {
  const isValid =
    values.length === types.length && types.every((type, index) => isSortValue[type](values[index] ?? ''));
  if (!isValid) throw invalid(`${name} ${NOT_A_POSITION}.`);
  return values;
}

/** For lists of records whose ids are integers. */
export class PageQuery extends PageQueryOf(20) {}

/** For lists of records whose ids are UUIDs in the order of time. */
export class TimelineQuery extends PageQueryOf(20) {
  override get sortValues(): readonly SortValue[] {
    return ['uuid'];
  }
}
