import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { DomainError, invalid } from '../../kernel/domain-error';
import { orNull } from '../api/or-null';
import { instantOf } from './instant';

/**
 * One line a field: what a request may carry there, for the validator and for the documentation alike. Every field names
 * the one sentence that its refusal reads.
 */
interface FieldRule {
  readonly check: (value: unknown) => boolean;
  /** What the value must be, after the field's name; said of the value itself where that helps. */
  readonly sentence: string | ((value: unknown) => string);
  readonly schema: ApiPropertyOptions;
}

export interface FieldOptions {
  /** May be left out, or null; the specification's "nullable". */
  readonly nullable?: boolean;
  /** May be left out, but not null. */
  readonly optional?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

export function field({ check, sentence, schema }: FieldRule, options: FieldOptions = {}): PropertyDecorator {
  const { nullable = false, optional = false, description, example } = options;
  const mayBeAbsent = nullable || optional;
  const said = (value: unknown): string => (typeof sentence === 'string' ? sentence : sentence(value));
  const documented = {
    ...(nullable ? orNull(schema) : schema),
    required: !mayBeAbsent,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  } as ApiPropertyOptions;
  return applyDecorators(
    ValidateIf((_object, value) => !(value === undefined && mayBeAbsent) && !(value === null && nullable)),
    ValidateBy({
      name: 'field',
      validator: {
        validate: check,
        defaultMessage: (facts) =>
          facts?.value === undefined && !mayBeAbsent
            ? `${facts?.property} is missing: it ${said(undefined)}`
            : `${facts?.property} ${said(facts?.value)}${nullable ? ', or null' : ''}`,
      },
    }),
    ApiProperty(documented),
  );
}

/** Characters as people count them, not UTF-16 units. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _character of text) length++;
  return length;
};

const between = (least: number, most: number) => (text: unknown) =>
  typeof text === 'string' && text.length <= most * 2 && lengthOf(text) >= least && lengthOf(text) <= most;

export const Text = (least: number, most: number, options?: FieldOptions): PropertyDecorator =>
  field(
    {
      check: between(least, most),
      sentence: `must be a string of ${least === 0 ? 'at most' : `${least} to`} ${most} characters`,
      schema: { type: 'string', minLength: least, maxLength: most },
    },
    options,
  );

const Trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** A name that people read: trimmed, not blank. */
export const Name = (most = 200, options?: FieldOptions): PropertyDecorator =>
  applyDecorators(
    Trimmed,
    field(
      {
        check: between(1, most),
        sentence: `must be a string of 1 to ${most} characters that is not blank`,
        schema: { type: 'string', minLength: 1, maxLength: most },
      },
      options,
    ),
  );

export const Integer = (least: number, most: number, options?: FieldOptions): PropertyDecorator =>
  field(
    {
      check: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
      sentence: `must be a whole number from ${least} to ${most}`,
      schema: { type: 'integer', minimum: least, maximum: most },
    },
    options,
  );

/** The id of a record, in a body. */
export const Id = (options?: FieldOptions): PropertyDecorator => Integer(1, 2_147_483_647, options);

export const Flag = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      check: (value) => typeof value === 'boolean',
      sentence: 'must be true or false',
      schema: { type: 'boolean' },
    },
    options,
  );

export const OneOf = (values: readonly (string | number)[], options?: FieldOptions): PropertyDecorator =>
  field(
    {
      check: (value) => values.includes(value as string),
      sentence: `must be one of: ${values.join(', ')}`,
      schema: { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] },
    },
    options,
  );

/** ISO 8601 in, a `Date` inside; a bare date is the start of its day, or its end where it is an upper bound. */
export const Instant = (options?: FieldOptions, bound: 'lower' | 'upper' = 'lower'): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (instantOf(value, bound) ?? value) : value,
    ),
    field(
      {
        check: (value) => value instanceof Date,
        sentence: 'must be an ISO 8601 date-time such as 2026-01-31T12:00:00Z',
        schema: { type: 'string', format: 'date-time' },
      },
      options,
    ),
  );

export const ListOf = (
  rule: { check: (value: unknown) => boolean; sentence: string; items: Record<string, unknown> },
  least: number,
  most: number,
  options?: FieldOptions,
): PropertyDecorator =>
  field(
    {
      check: (value) =>
        Array.isArray(value) && value.length >= least && value.length <= most && value.every(rule.check),
      sentence: `must be a list of ${least} to ${most}, where each ${rule.sentence}`,
      schema: { type: 'array', minItems: least, maxItems: most, items: rule.items },
    },
    options,
  );

/** What the domain's own rule has against a value: its message, which begins with the field's name, as our sentence. */
function objection<T>(rule: (value: T) => unknown, value: T): string | undefined {
  try {
    rule(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.message.replace(/^\S+ /, '').replace(/\.$/, '');
  }
}

const ruled = <T>(
  isType: (value: unknown) => value is T,
  sentence: string,
  rule: (value: T) => unknown,
  schema: ApiPropertyOptions,
  options?: FieldOptions,
): PropertyDecorator =>
  field(
    {
      check: (value) => isType(value) && objection(rule, value) === undefined,
      sentence: (value) => (isType(value) ? (objection(rule, value) ?? sentence) : sentence),
      schema,
    },
    options,
  );

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** A string whose rule is a function of the domain, which throws what it refuses. It is asked of no longer ones. */
export const RuledText = (
  rule: (text: string) => unknown,
  schema: ApiPropertyOptions & { readonly maxLength: number },
  options?: FieldOptions,
): PropertyDecorator => {
  const { maxLength } = schema;
  const bounded = (text: string): unknown => {
    if (text.length > maxLength) throw invalid(`It must be a string of at most ${maxLength} characters.`);
    return rule(text);
  };
  return ruled(isText, 'must be a string', bounded, { type: 'string', ...schema }, options);
};

interface ListBounds {
  readonly minItems: number;
  readonly maxItems: number;
  /** Of each string. */
  readonly maxLength: number;
}

/** A list of strings whose rule is a function of the domain. It is asked of no longer strings. */
export const RuledTexts = (
  rule: (texts: string[]) => unknown,
  { minItems, maxItems, maxLength }: ListBounds,
  options?: FieldOptions,
): PropertyDecorator => {
  const bounded = (texts: string[]): unknown => {
    const isLong = texts.some((text) => text.length > maxLength);
    if (isLong) throw invalid(`It must be a list of strings of at most ${maxLength} characters.`);
    return rule(texts);
  };
  const items = { type: 'string', minLength: 1, maxLength } as const;
  return ruled(isTexts, 'must be a list of strings', bounded, { type: 'array', minItems, maxItems, items }, options);
};
