import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type MinimumSpeed, DownloadSpeed } from './download-speed';

/** As much as is written at once: it says how far the reader is no more exactly than that. */
const SLICE = 65_536;

function* slicesOf(piece: Buffer | string): Generator<Buffer, undefined> {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/**
 * Waits for the reader after each piece that is more than it takes at once. One that has gone gets no more, and one that is
 * slower than the least pace is cut.
 */
export async function streamResponse<Piece extends Buffer | string>(
  first: IteratorResult<Piece, unknown>,
  pieces: AsyncIterator<Piece, unknown> | Iterator<Piece, unknown>,
  response: ServerResponse,
  minimumSpeed: MinimumSpeed,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const speed = new DownloadSpeed(minimumSpeed, () => response.destroy());
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) {
      for (const slice of slicesOf(piece.value)) {
        if (response.destroyed) return;
        if (response.write(slice)) speed.add(slice.length);
        else await speed.waitFor(slice.length, once(response, 'drain', { signal: closed.signal }));
      }
    }
    response.end();
  } catch (error) {
    if (!closed.signal.aborted) throw error;
  } finally {
    await pieces.return?.();
  }
}
