import type { ApiRequest, ApiResponse } from '../api/api-request';
import { jsonChunks } from './json-chunks';
import { LargeResponseLimit } from './large-response-limit';
import { streamResponse } from './streaming-response';
import type { MinimumSpeed } from './download-speed';

/** Above this an answer is not made in one piece, which would hold up everybody and stand in memory several times over. */
const MAX_BUFFERED_LENGTH = 1_048_576;

/** Up to this an answer is written at once, however slowly it is taken. */
const MAX_UNMONITORED_LENGTH = 65_536;

/** Answers in JSON: of the common size in one piece, the few large ones as fast as they are taken and some at a time. */
export class JsonResponder {
  private readonly largeResponses = new LargeResponseLimit();

  constructor(private readonly minimumSpeed: MinimumSpeed) {}

  send(body: object, response: ApiResponse): unknown {
    const pieces = jsonChunks(body);
    const { text, isWhole } = bufferFirst(pieces);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (!isWhole) return this.sendLarge(text, pieces, response);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    if (text.length <= MAX_UNMONITORED_LENGTH || response.req.method === 'HEAD') return response.end(text);
    return streamResponse({ value: text }, pieces, response, this.minimumSpeed);
  }

  private async sendLarge(text: string, pieces: Iterator<string, undefined>, response: ApiResponse): Promise<void> {
    const end = this.largeResponses.begin(tenantOf(response));
    try {
      if (response.req.method === 'HEAD') response.end();
      else await streamResponse({ value: text }, pieces, response, this.minimumSpeed);
    } finally {
      end();
    }
  }
}

const tenantOf = ({ req }: ApiResponse): string => (req as ApiRequest).caller?.tenant ?? 'nobody';

function bufferFirst(pieces: Iterator<string, undefined>): { text: string; isWhole: boolean } {
  let text = '';
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
    text += piece.value;
    if (text.length > MAX_BUFFERED_LENGTH) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}
