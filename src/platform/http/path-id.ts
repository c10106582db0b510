import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { ApiRequest } from './api-request';

const decimal = /^[1-9][0-9]{0,9}$/;
const mostInt4 = 2_147_483_647;

/**
 * An id that no record has. What is no id in a path reads as this one, so that `abc`, `0x1` and 2^31 are answered byte for
 * byte like an id that nobody has, at the moment when that would be answered, and never reach the database as they are.
 */
export const nobodysId = 0;

export function parseId(text: string | undefined): number {
  if (text === undefined || !decimal.test(text)) return nobodysId;
  const id = Number(text);
  return id <= mostInt4 ? id : nobodysId;
}

const FromPath = createParamDecorator((name: string, context: ExecutionContext) => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  return parseId(typeof value === 'string' ? value : undefined);
});

/** The integer id of a path, by its name in it. */
export function PathId(name: string): ParameterDecorator {
  return (target, key, index) => {
    FromPath(name)(target, key, index);
    if (key === undefined) return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined) return;
    ApiParam({ name, schema: { type: 'integer', minimum: 1, maximum: mostInt4 } })(target, key, descriptor);
  };
}
