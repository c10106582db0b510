import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { ApiRequest } from '../api/api-request';

/** Until when a request of a patient operation waits for a database that is away: one deadline, its credentials included. */
export const RetryDeadline = createParamDecorator(
  (_data: undefined, context: ExecutionContext): number =>
    context.switchToHttp().getRequest<ApiRequest>().retryDeadline ?? performance.now(),
);
