import type { ApiRequest, ApiResponse } from '../api/api-request';
import { namesTag } from './byte-range';
import { tagOfJson, tagOfText } from './entity-tag';
import { jsonChunks } from './json-chunks';
import { type LargeResponseLimit, tenantOf } from './large-response-limit';
import { streamResponse } from './streaming-response';

/** Longer responses are streamed: one string would block the process and need several times its size in memory. */
const MAX_BUFFERED_LENGTH = 1_048_576;

/** Longer responses are sent in slices, so that the speed of a slow client is seen before all of it has arrived. */
const MAX_WHOLE_LENGTH = 65_536;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends JSON. Large responses are streamed as fast as the client reads, and their number is limited. */
export class JsonResponder {
  constructor(private readonly largeResponses: LargeResponseLimit) {}

  send(body: object, response: ApiResponse): unknown {
    const pieces = jsonChunks(body);
    const { text, isWhole } = bufferFirst(pieces);
    if (!isWhole) return this.sendLarge(body, text, pieces, response);
    if (text.length > MAX_WHOLE_LENGTH) return this.sendSlices(text, pieces, response);
    return this.sendWhole(text, pieces, response);
  }

  private sendWhole(text: string, pieces: Iterator<string, undefined>, response: ApiResponse): unknown {
    if (isTagged(response) && isUnchanged(response, tagOfText(text))) return response.writeHead(304).end();
    response.setHeader('Content-Type', JSON_TYPE);
    const length = Buffer.byteLength(text);
    response.setHeader('Content-Length', length);
    // ASCII alone has the same bytes in both, and writing a page of findings takes 20 µs less.
    if (text.length <= MAX_WHOLE_LENGTH || response.req.method === 'HEAD')
      return response.end(text, length === text.length ? 'latin1' : 'utf8');
    return streamResponse({ value: text }, pieces, response);
  }

  private async sendSlices(text: string, pieces: Iterator<string, undefined>, response: ApiResponse): Promise<void> {
    const end = this.largeResponses.wait(tenantOf(response), text.length);
    try {
      await this.sendWhole(text, pieces, response);
    } finally {
      end();
    }
  }

  private async sendLarge(
    body: object,
    text: string,
    pieces: Iterator<string, undefined>,
    response: ApiResponse,
  ): Promise<void> {
    const end = this.largeResponses.begin(tenantOf(response));
    try {
      if (isTagged(response) && isUnchanged(response, await tagOfJson(jsonChunks(body)))) {
        response.writeHead(304).end();
        return;
      }
      response.setHeader('Content-Type', JSON_TYPE);
      if (response.req.method === 'HEAD') response.end();
      else await streamResponse({ value: text }, pieces, response);
    } finally {
      end();
    }
  }
}

const isTagged = ({ req, statusCode }: ApiResponse): boolean =>
  (req as ApiRequest).hasEntityTag === true && statusCode === 200;

/** Whether the client has a response with this tag already. */
function isUnchanged(response: ApiResponse, tag: string): boolean {
  response.setHeader('ETag', tag);
  return namesTag(response.req.headers['if-none-match'], tag);
}

function bufferFirst(pieces: Iterator<string, undefined>): { text: string; isWhole: boolean } {
  let text = '';
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
    text += piece.value;
    if (text.length > MAX_BUFFERED_LENGTH) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}
