import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { ApiResponse } from '../api/api-request';

/** Aborted when the response is closed, for requests that wait. */
export const Disconnected = createParamDecorator((_data: undefined, context: ExecutionContext): AbortSignal => {
  const closed = new AbortController();
  const response = context.switchToHttp().getResponse<ApiResponse>();
  if (response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
});
