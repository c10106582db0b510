import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { ApiRequest } from './api-request';

const pattern = '^[a-z0-9]+(-[a-z0-9]+)*$';
const slug = new RegExp(pattern);
const mostCharacters = 63;

/** A slug that no record has: what is none in a path reads as this one, as with ids. */
export const nobodysSlug = '';

export const parseSlug = (text: string | undefined): string =>
  text !== undefined && text.length <= mostCharacters && slug.test(text) ? text : nobodysSlug;

const FromPath = createParamDecorator((name: string, context: ExecutionContext) => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  return parseSlug(typeof value === 'string' ? value : undefined);
});

/** The slug of a path, by its name in it. */
export function PathSlug(name: string): ParameterDecorator {
  return (target, key, index) => {
    FromPath(name)(target, key, index);
    if (key === undefined) return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined) return;
    ApiParam({ name, schema: { type: 'string', maxLength: mostCharacters, pattern } })(target, key, descriptor);
  };
}
