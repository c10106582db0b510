import { ApiParam } from '@nestjs/swagger';
import { requestArgument } from './request-argument';

/** Creates a decorator for path parameters from a parser and a schema. */
export function pathParameter(
  parse: (text: string | undefined) => number | string,
  schema: Readonly<Record<string, unknown>>,
): (name: string) => ParameterDecorator {
  const FromPath = requestArgument(({ params }, name: string) => {
    const value = params[name];
    return parse(typeof value === 'string' ? value : undefined);
  });
  return (name) => (target, key, index) => {
    FromPath(name)(target, key, index);
    documentedParameter(name, schema)(target, key, index);
  };
}

/** Describes a path parameter in the OpenAPI document. */
export const documentedParameter =
  (name: string, schema: Readonly<Record<string, unknown>>): ParameterDecorator =>
  (target, key) => {
    if (key === undefined) return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor !== undefined) ApiParam({ name, schema })(target, key, descriptor);
  };
