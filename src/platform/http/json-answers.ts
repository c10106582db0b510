import { DomainError } from '../../kernel/domain-error';
import type { ApiResponse } from './api-request';
import { jsonPieces } from './json-pieces';
import { pour } from './pour';

/** Above this an answer is not made in one piece, which would hold up everybody and stand in memory several times over. */
const mostAtOnce = 1_048_576;

/** A page of a hundred long texts may be tens of megabytes, and stays until its reader has taken it. */
const mostLarge = 4;

const tooManyLarge = (): DomainError =>
  new DomainError(
    'unavailable',
    'Several very large answers are on their way already. Try again in a second, or ask for smaller pages.',
    1,
  );

/** Answers in JSON: of the common size in one piece, the few large ones as fast as they are taken and some at a time. */
export class JsonAnswers {
  private large = 0;

  send(body: object, response: ApiResponse): unknown {
    const pieces = jsonPieces(body);
    const { text, isWhole } = taken(pieces);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (!isWhole) return this.sendLarge(text, pieces, response);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  private async sendLarge(text: string, pieces: Iterator<string, undefined>, response: ApiResponse): Promise<void> {
    if (this.large >= mostLarge) throw tooManyLarge();
    this.large++;
    try {
      if (response.req.method === 'HEAD') response.end();
      else await pour({ value: text }, pieces, response);
    } finally {
      this.large--;
    }
  }
}

function taken(pieces: Iterator<string, undefined>): { text: string; isWhole: boolean } {
  let text = '';
  for (let piece = pieces.next(); piece.done !== true; piece = pieces.next()) {
    text += piece.value;
    if (text.length > mostAtOnce) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}
