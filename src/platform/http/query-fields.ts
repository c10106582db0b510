import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { field } from './fields';
import { instantOf } from './instant';
import { type Page } from '../../kernel/page';
import { nobodysUuid, parseUuid } from './path-uuid';

/** What a parameter's text becomes; `unreadable` is refused by the sentence beside it. */
const unreadable = Symbol('unreadable');

interface QueryRule {
  readonly read: (text: string) => unknown;
  readonly sentence: string;
  readonly schema: ApiPropertyOptions;
  readonly description?: string;
}

/** One line a query parameter, all optional: an array (given twice) or a nested value is never a string, and so refused. */
function parameter({ read, sentence, schema, description }: QueryRule): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => {
      if (value === undefined) return undefined;
      return typeof value === 'string' ? read(value) : unreadable;
    }),
    field({ check: (value) => value !== unreadable, sentence, schema }, { optional: true, description }),
  );
}

const digits = /^[0-9]{1,10}$/;

export const IntegerParameter = (
  least: number,
  most: number,
  description?: string,
  fallback?: number,
): PropertyDecorator =>
  parameter({
    read: (text) => {
      const value = digits.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most ? value : unreadable;
    },
    sentence: `must be given once, as a whole number from ${least} to ${most}`,
    schema: { type: 'integer', minimum: least, maximum: most, default: fallback },
    description,
  });

export const IdParameter = (description?: string): PropertyDecorator => IntegerParameter(1, 2_147_483_647, description);

const controls = /\p{Cc}/u;

export const UuidParameter = (description?: string): PropertyDecorator =>
  parameter({
    read: (text) => (parseUuid(text) === nobodysUuid ? unreadable : text),
    sentence: 'must be given once, as a UUID',
    schema: { type: 'string', format: 'uuid' },
    description,
  });

export const TextParameter = (most: number, description?: string): PropertyDecorator =>
  parameter({
    read: (text) =>
      text.length >= 1 && text.length <= most && !controls.test(text) && text.isWellFormed() ? text : unreadable,
    sentence: `must be given once, as a text of 1 to ${most} characters without control characters`,
    schema: { type: 'string', minLength: 1, maxLength: most },
    description,
  });

export const ChoiceParameter = (choices: readonly string[], description?: string): PropertyDecorator =>
  parameter({
    read: (text) => (choices.includes(text) ? text : unreadable),
    sentence: `must be given once, as one of: ${choices.join(', ')}`,
    schema: { type: 'string', enum: [...choices] },
    description,
  });

const flags = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

export const FlagParameter = (description?: string): PropertyDecorator =>
  parameter({
    read: (text) => flags.get(text) ?? unreadable,
    sentence: 'must be given once, as true or false',
    schema: { type: 'boolean' },
    description,
  });

export const InstantParameter = (bound: 'lower' | 'upper', description?: string): PropertyDecorator =>
  parameter({
    read: (text) => instantOf(text, bound) ?? unreadable,
    sentence: 'must be given once, as an ISO 8601 date or date-time such as 2026-01-31T12:00:00Z',
    schema: { type: 'string', format: 'date-time' },
    description,
  });

/** As far as `page` times `per_page` stays an int4. */
const mostPages = 21_474_836;

/** `page` and `per_page`, everywhere alike but for how many a page holds when nobody says. */
export function PageQueryOf(perPage: number) {
  class PagedQuery {
    @IntegerParameter(1, mostPages, 'The page, from 1.', 1)
    page?: number;

    @IntegerParameter(1, 100, 'How many a page holds.', perPage)
    per_page?: number;

    get slice(): Page {
      return { page: this.page ?? 1, perPage: this.per_page ?? perPage };
    }
  }
  return PagedQuery;
}

const upToThis =
  'Only records with ids up to this one. The links to other pages have it, so that new records shift none.';

/** For lists of records with ids of their own. */
export function RecordsQueryOf(perPage: number) {
  class RecordsQuery extends PageQueryOf(perPage) {
    @IdParameter(upToThis)
    until?: number;

    override get slice(): Page {
      return { ...super.slice, until: this.until };
    }
  }
  return RecordsQuery;
}

/** For lists of records whose ids are UUIDs in the order of time. */
export class TimelineQuery extends PageQueryOf(20) {
  @UuidParameter(upToThis)
  until?: string;

  override get slice(): Page {
    return { ...super.slice, until: this.until };
  }
}

/** For lists of what has no id that a caller could name. */
export class PlainPageQuery extends PageQueryOf(20) {}

export class PageQuery extends RecordsQueryOf(20) {}
