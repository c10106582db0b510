import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { ApiRequest } from '../api/api-request';

/** Until when a request retries while the database is unavailable. Authentication uses the same deadline. */
export const RetryDeadline = createParamDecorator(
  (_data: undefined, context: ExecutionContext): number =>
    context.switchToHttp().getRequest<ApiRequest>().retryDeadline ?? performance.now(),
);
