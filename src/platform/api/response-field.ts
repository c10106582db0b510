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
  return ApiProperty(mayBeNull ? nullable(documented) : documented);
};

const oneOrNull =
  (type: Type, { description }: ResponseFieldOptions): PropertyDecorator =>
  (target, key) => {
    ApiExtraModels(type)(target.constructor);
    const schema = nullable({ allOf: [{ $ref: getSchemaPath(type) }] });
    ApiProperty({ ...schema, ...(description !== undefined && { description }) })(target, key);
  };

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
