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

const show = (
  schema: object,
  { nullable: mayBeNull, optional = false, description, enum: values }: ResponseFieldOptions = {},
): PropertyDecorator => {
  const shown = {
    ...schema,
    required: !optional,
    ...(description !== undefined && { description }),
    ...(values !== undefined && { enum: [...values] }),
  };
  return ApiProperty(mayBeNull ? nullable(shown) : shown);
};

const oneOrNull =
  (type: Type, { description }: ResponseFieldOptions): PropertyDecorator =>
  (target, key) => {
    ApiExtraModels(type)(target.constructor);
    const schema = nullable({ allOf: [{ $ref: getSchemaPath(type) }] });
    ApiProperty({ ...schema, ...(description !== undefined && { description }) })(target, key);
  };

/** One line a field of an answer, for the documentation; the presenter beside it fills each by name. */
export const ResponseField = {
  integer: (options?: ResponseFieldOptions) => show({ type: 'integer' }, options),
  number: (options?: ResponseFieldOptions) => show({ type: 'number' }, options),
  string: (options?: ResponseFieldOptions) => show({ type: 'string' }, options),
  boolean: (options?: ResponseFieldOptions) => show({ type: 'boolean' }, options),
  instant: (options?: ResponseFieldOptions) => show({ type: 'string', format: 'date-time' }, options),
  strings: (options?: ResponseFieldOptions) => show({ type: 'array', items: { type: 'string' } }, options),
  integers: (options?: ResponseFieldOptions) => show({ type: 'array', items: { type: 'integer' } }, options),
  object: (options?: ResponseFieldOptions) => show({ type: 'object', additionalProperties: true }, options),
  one: (type: Type, options?: ResponseFieldOptions) =>
    options?.nullable ? oneOrNull(type, options) : show({ type: () => type }, options),
  list: (type: Type, options?: ResponseFieldOptions) => show({ type: () => [type] }, options),
};
