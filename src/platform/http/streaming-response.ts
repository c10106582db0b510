import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Turns } from '../../kernel/in-turns';
import { requireAccess } from '../api/standing-access';
import { closedSignal } from './disconnected';

/** The size of a single write, and so the precision with which `SlowReaders` measures. */
const SLICE = 65_536;

function* slicesOf(piece: Buffer | string): Generator<Buffer, undefined> {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** Sends pieces as fast as the client reads, and while it may read them. */
export async function streamResponse<Piece extends Buffer | string>(
  first: IteratorResult<Piece, unknown>,
  pieces: AsyncIterator<Piece, unknown> | Iterator<Piece, unknown>,
  response: ServerResponse,
): Promise<void> {
  const closed = closedSignal(response);
  // A fast client lets every write succeed at once, so that nothing else would give others a turn.
  const turns = new Turns();
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) {
      for (const slice of slicesOf(piece.value)) {
        await turns.take();
        await requireAccess(response.req);
        if (closed.aborted) return;
        if (!response.write(slice)) await once(response, 'drain', { signal: closed });
      }
    }
    response.end();
  } catch (error) {
    if (!closed.aborted) throw error;
  } finally {
    await pieces.return?.();
  }
}
