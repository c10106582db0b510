import { once } from 'node:events';
import type { ApiResponse } from './api-request';

/** Waits for the reader after each piece that is more than it takes at once; one that has gone gets no more. */
export async function pour<Piece extends Buffer | string>(
  first: IteratorResult<Piece, unknown>,
  pieces: AsyncIterator<Piece, unknown> | Iterator<Piece, unknown>,
  response: ApiResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) {
      if (response.destroyed) return;
      if (!response.write(piece.value)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    await pieces.return?.();
  }
}
