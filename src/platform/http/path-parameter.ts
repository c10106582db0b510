import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { ApiRequest } from '../api/api-request';

/** Creates a decorator for path parameters from a parser and a schema. */
export function pathParameter(
  parse: (text: string | undefined) => number | string,
  schema: Readonly<Record<string, unknown>>,
): (name: string) => ParameterDecorator {
  const FromPath = createParamDecorator((name: string, context: ExecutionContext) => {
    const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
    return parse(typeof value === 'string' ? value : undefined);
  });
  return (name) => (target, key, index) => {
    FromPath(name)(target, key, index);
    if (key === undefined) return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined) return;
    ApiParam({ name, schema })(target, key, descriptor);
  };
}
