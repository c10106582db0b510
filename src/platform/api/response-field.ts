import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { nullable } from './nullable';

interface ResponseFieldOptions {
  readonly nullable?: boolean;
  /** The field may be absent. */
  readonly optional?: boolean;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
}

const FIELDS = Symbol('fields');

const fieldsOf = (prototype: object): readonly string[] =>
  (Reflect.getMetadata(FIELDS, prototype) as readonly string[] | undefined) ?? [];

const stated =
  (document: PropertyDecorator): PropertyDecorator =>
  (target, key) => {
    Reflect.defineMetadata(FIELDS, [...fieldsOf(target), key], target);
    document(target, key);
  };

const field = (
  schema: object,
  { nullable: mayBeNull, optional = false, description, enum: values }: ResponseFieldOptions = {},
): PropertyDecorator => {
  const documented = {
    ...schema,
    required: !optional,
    ...(description !== undefined && { description }),
    ...(values !== undefined && { enum: [...values] }),
  };
  return stated(ApiProperty(mayBeNull ? nullable(documented) : documented));
};

const oneOrNull = (type: Type, { description }: ResponseFieldOptions): PropertyDecorator =>
  stated((target, key) => {
    ApiExtraModels(type)(target.constructor);
    const schema = nullable({ allOf: [{ $ref: getSchemaPath(type) }] });
    ApiProperty({ ...schema, ...(description !== undefined && { description }) })(target, key);
  });

/** Decorators that document the fields of a response: one line for each field. */
export const ResponseField = {
  integer: (options?: ResponseFieldOptions) => field({ type: 'integer' }, options),
  number: (options?: ResponseFieldOptions) => field({ type: 'number' }, options),
  string: (options?: ResponseFieldOptions) => field({ type: 'string' }, options),
  boolean: (options?: ResponseFieldOptions) => field({ type: 'boolean' }, options),
  instant: (options?: ResponseFieldOptions) => field({ type: 'string', format: 'date-time' }, options),
  instants: (options?: ResponseFieldOptions) =>
    field({ type: 'array', items: { type: 'string', format: 'date-time' } }, options),
  day: (options?: ResponseFieldOptions) => field({ type: 'string', format: 'date' }, options),
  strings: (options?: ResponseFieldOptions) => field({ type: 'array', items: { type: 'string' } }, options),
  integers: (options?: ResponseFieldOptions) => field({ type: 'array', items: { type: 'integer' } }, options),
  object: (options?: ResponseFieldOptions) => field({ type: 'object', additionalProperties: true }, options),
  one: (type: Type, options?: ResponseFieldOptions) =>
    options?.nullable ? oneOrNull(type, options) : field({ type: () => type }, options),
  list: (type: Type, options?: ResponseFieldOptions) => field({ type: () => [type] }, options),
};

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** The properties of a record for the response fields that are not given. */
type RecordOf<Response, Given> = {
  readonly [Name in Exclude<keyof Response, Given> as CamelCase<Name> & string]:
    Response[Name] | (string extends Response[Name] ? Date : never);
};

/** The fields of a response: those that are given, and the others from the record, where `last_error` is `lastError`. */
export function presented<Response extends object, Given extends Partial<Response>>(
  type: Type<Response>,
  record: RecordOf<Response, keyof Given>,
  given: Given,
): { [Name in keyof Response]: Response[Name] } {
  const values = record as Readonly<Record<string, unknown>>;
  const own = given as Readonly<Record<string, unknown>>;
  const entries = fieldsOf(type.prototype as object).map((name) => {
    if (name in own) return [name, own[name]];
    const value = values[name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(entries) as Response;
}
