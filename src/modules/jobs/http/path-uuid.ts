import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { ApiRequest } from '../../../platform/http/api-request';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One that no record has: what is none in a path reads as this one, as with ids. */
const nobodysUuid = '00000000-0000-0000-0000-000000000000';

const FromPath = createParamDecorator((name: string, context: ExecutionContext) => {
  const value = context.switchToHttp().getRequest<ApiRequest>().params[name];
  return typeof value === 'string' && uuid.test(value) ? value : nobodysUuid;
});

/** The UUID of a path, by its name in it. */
export function PathUuid(name: string): ParameterDecorator {
  return (target, key, index) => {
    FromPath(name)(target, key, index);
    if (key === undefined) return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined) return;
    ApiParam({ name, schema: { type: 'string', format: 'uuid' } })(target, key, descriptor);
  };
}
