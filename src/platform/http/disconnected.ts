import type { ServerResponse } from 'node:http';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { ApiResponse } from '../api/api-request';

/** Aborted when the response is closed. A response that waits behind another one gets no event when their connection ends. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  const { socket } = response.req;
  const close = (): void => {
    socket.off('close', close);
    closed.abort();
  };
  if (response.destroyed || socket.destroyed) closed.abort();
  else {
    // A client may send any number of requests at once.
    socket.setMaxListeners(0).once('close', close);
    response.once('close', close);
  }
  return closed.signal;
}

/** Aborted when the response is closed, for requests that wait. */
export const Disconnected = createParamDecorator((_data: undefined, context: ExecutionContext): AbortSignal =>
  closedSignal(context.switchToHttp().getResponse<ApiResponse>()),
);
