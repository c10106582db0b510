import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { nullable } from './nullable';

interface ShownOptions {
  readonly nullable?: boolean;
  /** The field may be absent. */
  readonly optional?: boolean;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
}

const show = (
  schema: object,
  { nullable: mayBeNull, optional = false, description, enum: values }: ShownOptions = {},
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
  (type: Type, { description }: ShownOptions): PropertyDecorator =>
  (target, key) => {
    ApiExtraModels(type)(target.constructor);
    const schema = nullable({ allOf: [{ $ref: getSchemaPath(type) }] });
    ApiProperty({ ...schema, ...(description !== undefined && { description }) })(target, key);
  };

/** One line a field of an answer, for the documentation; the presenter beside it fills each by name. */
export const Shown = {
  integer: (options?: ShownOptions) => show({ type: 'integer' }, options),
  number: (options?: ShownOptions) => show({ type: 'number' }, options),
  string: (options?: ShownOptions) => show({ type: 'string' }, options),
  boolean: (options?: ShownOptions) => show({ type: 'boolean' }, options),
  instant: (options?: ShownOptions) => show({ type: 'string', format: 'date-time' }, options),
  strings: (options?: ShownOptions) => show({ type: 'array', items: { type: 'string' } }, options),
  integers: (options?: ShownOptions) => show({ type: 'array', items: { type: 'integer' } }, options),
  object: (options?: ShownOptions) => show({ type: 'object', additionalProperties: true }, options),
  one: (type: Type, options?: ShownOptions) =>
    options?.nullable ? oneOrNull(type, options) : show({ type: () => type }, options),
  list: (type: Type, options?: ShownOptions) => show({ type: () => [type] }, options),
};
