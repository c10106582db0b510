import type { ApiResponse } from '../api/api-request';
import { streamResponse } from './streaming-response';

/** Server-sent events as response. The next text is requested when the client has received the previous one. */
export class EventStream {
  constructor(private readonly texts: AsyncIterator<string, unknown>) {}

  async send(response: ApiResponse): Promise<void> {
    // Before the headers are sent, a failed read can still become an error response.
    const first = await this.texts.next();
    // Proxies must not collect the events before they pass them on.
    response.setHeader('X-Accel-Buffering', 'no');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    // With the stream, so that a server that stops does not wait for an idle connection.
    response.setHeader('Connection', 'close');
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.flushHeaders();
    if (response.req.method !== 'HEAD') return streamResponse(first, this.texts, response);
    await this.texts.return?.();
    response.end();
  }
}
