import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  type ValidationArguments,
  type ValidationOptions,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  isArray,
} from 'class-validator';
import { DomainError, invalid } from '../../kernel/domain-error';
import { isLine, unsuitableCharacter } from '../../kernel/plain-text';
import { nullable } from '../api/nullable';
import { instantOf } from './instant';
import { NO_SUCH_UUID, parseUuid } from './path-uuid';

/** A field of a body or a query: its validators, its error message and its documentation. */
interface FieldRule {
  /** Those of class-validator where they exist. All have the same error message. */
  readonly validators: readonly ((options: ValidationOptions) => PropertyDecorator)[];
  /** The error message after the name of the field. It begins with "must". */
  readonly sentence: string | ((value: unknown) => string);
  readonly schema: ApiPropertyOptions;
  /** Converts the text of a query parameter. Returns invalid text unchanged, and the validators reject it. */
  readonly parse?: (text: string) => unknown;
}

export interface FieldOptions {
  /** May be omitted or null, like "nullable" in the interface specification. */
  readonly nullable?: boolean;
  /** May be omitted, but not null. */
  readonly optional?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Only for the documentation. */
  readonly default?: unknown;
}

/** The class-transformer group for queries, whose parameters are always text. */
export const QUERY = 'query';

/** The value of a query parameter that is given several times or as `page[]`. */
const SEVERAL = Symbol('several');

const fromQuery = (parse: (text: string) => unknown): PropertyDecorator =>
  Transform(
    ({ value }: { value: unknown }) => {
      if (value === undefined) return undefined;
      return typeof value === 'string' ? parse(value) : SEVERAL;
    },
    { groups: [QUERY] },
  );

/** A validator that class-validator does not have. */
export const passes =
  (check: (value: unknown) => boolean) =>
  (options: ValidationOptions): PropertyDecorator =>
    ValidateBy({ name: 'passes', validator: { validate: check } }, options);

export function field(
  { validators, sentence, schema, parse = (text) => text }: FieldRule,
  options: FieldOptions = {},
): PropertyDecorator {
  const { nullable: mayBeNull = false, optional = false, description, example, default: fallback } = options;
  const mayBeAbsent = mayBeNull || optional;
  const requirement = (value: unknown): string => (typeof sentence === 'string' ? sentence : sentence(value));
  const message = ({ property, value }: ValidationArguments): string => {
    if (value === undefined && !mayBeAbsent) return `${property} is missing: it ${requirement(undefined)}`;
    if (value === SEVERAL) return `${property} ${requirement(undefined).replace(/^must be/, 'must be given once, as')}`;
    return `${property} ${requirement(value)}${mayBeNull ? ', or null' : ''}`;
  };
  const documented = {
    ...(mayBeNull ? nullable(schema) : schema),
    required: !mayBeAbsent,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    ...(fallback !== undefined && { default: fallback }),
  } as ApiPropertyOptions;
  return applyDecorators(
    fromQuery(parse),
    ValidateIf((_object, value) => !(value === undefined && mayBeAbsent) && !(value === null && mayBeNull)),
    ...validators.map((validator) => validator({ message })),
    ApiProperty(documented),
  );
}

/** Counts characters as the database does. class-validator's `Length` ignores variation selectors. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _character of text) length++;
  return length;
};

const hasLength = (min: number, max: number) =>
  passes(
    (text) => typeof text === 'string' && text.length <= max * 2 && lengthOf(text) >= min && lengthOf(text) <= max,
  );

export const Text = (min: number, max: number, options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [hasLength(min, max)],
      sentence: `must be a string of ${min === 0 ? 'at most' : `${min} to`} ${max} characters`,
      schema: { type: 'string', minLength: min, maxLength: max },
    },
    options,
  );

/** The error message of a line names the character that it must not contain. */
const orUnsuitable =
  (sentence: string) =>
  (value: unknown): string => {
    const character = typeof value === 'string' ? unsuitableCharacter(value, 'line') : undefined;
    return character === undefined ? sentence : `must be one line without control characters: it contains ${character}`;
  };

const line = (max: number, sentence: string): FieldRule => ({
  validators: [hasLength(1, max), passes((text) => typeof text === 'string' && isLine(text))],
  sentence: orUnsuitable(sentence),
  schema: { type: 'string', minLength: 1, maxLength: max },
});

/** For search terms and similar parameters. */
export const SingleLineText = (max: number, options?: FieldOptions): PropertyDecorator =>
  field(line(max, `must be a string of 1 to ${max} characters`), options);

const Trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

const notBlank = (max: number): string => `must be a string of 1 to ${max} characters that is not blank`;

/** A name or title that people read: trimmed, not blank, of one line. */
export const Name = (max = 200, options?: FieldOptions): PropertyDecorator =>
  applyDecorators(Trimmed, field(line(max, notBlank(max)), options));

/** A text of several lines: trimmed, not blank. */
export const Comment = (max: number, options?: FieldOptions): PropertyDecorator =>
  applyDecorators(
    Trimmed,
    field(
      {
        validators: [hasLength(1, max)],
        sentence: notBlank(max),
        schema: { type: 'string', minLength: 1, maxLength: max },
      },
      options,
    ),
  );

const DIGITS = /^[0-9]{1,10}$/;
const parseInteger = (text: string): number | string => (DIGITS.test(text) ? Number(text) : text);

export const Integer = (min: number, max: number, options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [IsInt, (message) => Min(min, message), (message) => Max(max, message)],
      sentence: `must be a whole number from ${min} to ${max}`,
      schema: { type: 'integer', minimum: min, maximum: max },
      parse: parseInteger,
    },
    options,
  );

/** For a number whose range the domain checks, with a status of its own: `most` is for the documentation alone. */
export const WholeNumber = (max: number, options?: FieldOptions): PropertyDecorator =>
  field(
    { validators: [IsInt], sentence: 'must be a whole number', schema: { type: 'integer', minimum: 1, maximum: max } },
    options,
  );

/** A number with one decimal place. */
export const Decimal = (min: number, max: number, options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [(message) => IsNumber({}, message), (message) => Min(min, message), (message) => Max(max, message)],
      sentence: `must be a number from ${min.toFixed(1)} to ${max.toFixed(1)}`,
      schema: { type: 'number', minimum: min, maximum: max, multipleOf: 0.1 },
    },
    options,
  );

/** A number from 0 to 1, in a query. */
export const Share = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [(message) => IsNumber({}, message), (message) => Min(0, message), (message) => Max(1, message)],
      sentence: 'must be a number from 0 to 1',
      schema: { type: 'number', minimum: 0, maximum: 1 },
      parse: (text) => (/^\d(\.\d{1,10})?$/.test(text) ? Number(text) : text),
    },
    options,
  );

/** The id of a record. */
export const Id = (options?: FieldOptions): PropertyDecorator => Integer(1, 2_147_483_647, options);

export const Uuid = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes((value) => typeof value === 'string' && parseUuid(value) !== NO_SUCH_UUID)],
      sentence: 'must be a UUID',
      schema: { type: 'string', format: 'uuid' },
    },
    options,
  );

const BOOLEANS = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

export const Flag = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [IsBoolean],
      sentence: 'must be true or false',
      schema: { type: 'boolean' },
      parse: (text) => BOOLEANS.get(text) ?? text,
    },
    options,
  );

/** `labels` describes the values in the error message. */
export const OneOf = (
  values: readonly (string | number)[],
  { labels = values, ...options }: FieldOptions & { readonly labels?: readonly (string | number)[] } = {},
): PropertyDecorator =>
  field(
    {
      validators: [(message) => IsIn([...values], message)],
      sentence: `must be one of: ${labels.join(', ')}`,
      schema: { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] },
      parse: typeof values[0] === 'number' ? parseInteger : undefined,
    },
    options,
  );

/** Converts ISO 8601 to a `Date`. A date without a time is the start of the day, or its end for an upper bound. */
export const Instant = (options?: FieldOptions, bound: 'lower' | 'upper' = 'lower'): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (instantOf(value, bound) ?? value) : value,
    ),
    field(
      {
        validators: [IsDate],
        sentence: 'must be an ISO 8601 date-time or date, such as 2026-01-31T12:00:00Z',
        schema: { type: 'string', format: 'date-time' },
        parse: (text) => instantOf(text, bound) ?? text,
      },
      options,
    ),
  );

const ISO_DAY = /^[2-9]\d{3}-\d{2}-\d{2}$/;

/** A day without a time, from the year 2000. */
export const Day = (options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes((text) => typeof text === 'string' && ISO_DAY.test(text) && instantOf(text) !== undefined)],
      sentence: 'must be a date such as 2026-01-31',
      schema: { type: 'string', format: 'date', minLength: 10, maxLength: 10 },
    },
    options,
  );

export interface ItemRule {
  readonly check: (value: unknown) => boolean;
  /** Follows "where each". */
  readonly sentence: string;
  readonly items: Record<string, unknown>;
  readonly unique?: boolean;
}

export const ListOf = (
  { check, sentence, items, unique = false }: ItemRule,
  min: number,
  max: number,
  options?: FieldOptions,
): PropertyDecorator =>
  field(
    {
      validators: [
        passes(
          (value) =>
            isArray(value) &&
            value.length >= min &&
            value.length <= max &&
            value.every(check) &&
            (!unique || new Set(value).size === value.length),
        ),
      ],
      sentence: `must be a list of ${min} to ${max}${unique ? ', without repetitions' : ''}, where each ${sentence}`,
      schema: {
        type: 'array',
        minItems: min,
        maxItems: max,
        ...(unique && { uniqueItems: true }),
        items,
      },
    },
    options,
  );

const NESTED = Symbol('nested request classes');

/** The classes of a request's nested objects, by field. */
export const nestedClasses = (request: Class): ReadonlyMap<string, Class> =>
  (Reflect.getMetadata(NESTED, request) as Map<string, Class> | undefined) ?? new Map<string, Class>();

/** An object with its own request class. `fields` completes the error message. */
export const Nested = (nested: Class, fields: string, options?: FieldOptions): PropertyDecorator =>
  applyDecorators(
    Type(() => nested),
    ValidateNested(),
    field(
      {
        validators: [IsObject],
        sentence: `must be an object ${fields}`,
        schema: { allOf: [{ $ref: getSchemaPath(nested) }] },
      },
      options,
    ),
    (target: object, key: string | symbol) => {
      ApiExtraModels(nested)(target.constructor);
      const known = nestedClasses(target.constructor as Class);
      Reflect.defineMetadata(NESTED, new Map(known).set(String(key), nested), target.constructor);
    },
  );

/** The message of the domain rule for an invalid value, without the name of the field. */
function ruleViolation<T>(rule: (value: T) => unknown, value: T): string | undefined {
  try {
    rule(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.message.replace(/^\S+ /, '').replace(/\.$/, '');
  }
}

const fieldWithRule = <T>(
  isType: (value: unknown) => value is T,
  sentence: string,
  rule: (value: T) => unknown,
  schema: ApiPropertyOptions,
  options?: FieldOptions,
): PropertyDecorator =>
  field(
    {
      validators: [passes((value) => isType(value) && ruleViolation(rule, value) === undefined)],
      sentence: (value) => (isType(value) ? (ruleViolation(rule, value) ?? sentence) : sentence),
      schema,
    },
    options,
  );

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** A string that a function of the domain checks by throwing. It is not called with longer strings. */
export const TextWithRule = (
  rule: (text: string) => unknown,
  schema: ApiPropertyOptions & { readonly maxLength: number },
  options?: FieldOptions,
): PropertyDecorator => {
  const { maxLength } = schema;
  const bounded = (text: string): unknown => {
    if (text.length > maxLength) throw invalid(`It must be a string of at most ${maxLength} characters.`);
    return rule(text);
  };
  return fieldWithRule(isText, 'must be a string', bounded, { type: 'string', ...schema }, options);
};

interface ListBounds {
  readonly minItems: number;
  readonly maxItems: number;
  /** Of each string. */
  readonly maxLength: number;
}

/** A list of strings that a function of the domain checks by throwing. It is not called with longer strings or lists. */
export const TextListWithRule = (
  rule: (texts: string[]) => unknown,
  { minItems, maxItems, maxLength }: ListBounds,
  options?: FieldOptions,
): PropertyDecorator => {
  const bounded = (texts: string[]): unknown => {
    if (texts.length > maxItems) throw invalid(`They must be at most ${maxItems}.`);
    const isLong = texts.some((text) => text.length > maxLength);
    if (isLong) throw invalid(`It must be a list of strings of at most ${maxLength} characters.`);
    return rule(texts);
  };
  const items = { type: 'string', minLength: 1, maxLength } as const;
  return fieldWithRule(
    isTexts,
    'must be a list of strings',
    bounded,
    { type: 'array', minItems, maxItems, items },
    options,
  );
};
