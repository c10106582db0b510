import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import type { ApiRequest } from './api-request';

/** Who calls: the guard has seen to it that there is somebody. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (caller === undefined) throw new Error('a route asks for its caller, but its story lets nobody in');
  return caller;
});

/** Which beacon reports. */
export const CurrentBeacon = createParamDecorator((_data: unknown, context: ExecutionContext): number => {
  const { beaconId } = context.switchToHttp().getRequest<ApiRequest>();
  if (beaconId === undefined) throw new Error('a route asks for its beacon, but its story lets no beacon in');
  return beaconId;
});
