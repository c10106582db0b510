import { Duplex } from 'node:stream';
import type { Endpoint } from './endpoint';
import { FRAME, type FrameType, MAX_DATA_BYTES, ProtocolError } from './frame';

/** How much a side may send before the other has read: also the memory that a stream needs. */
export const WINDOW_BYTES = 262_144;
const MAX_WINDOW_BYTES = 2 ** 31 - 1;
/** Below this much unread data the reader asks for more. */
const READ_BUFFER_BYTES = 65_536;
/** Each needs memory besides its bytes. */
const MAX_UNREAD_FRAMES = 4_096;

/** Spelled as Node spells it, so that every reader of a socket understands it. */
export class StreamResetError extends Error {
  readonly code = 'ECONNRESET';

  constructor(reason: string) {
    super(reason);
    this.name = 'StreamResetError';
  }
}

export interface StreamOutput {
  send(type: FrameType, payload?: Buffer): Promise<void>;
  /** The stream is over; the other side may still send this many bytes that it was allowed to. */
  over(allowance: number): void;
}

/** One TCP connection to a target, carried by a multiplexer. It ends cleanly only when the other side says so. */
export class RelayedStream extends Duplex {
  bytesRead = 0;
  bytesWritten = 0;
  private sendWindow = WINDOW_BYTES;
  private receiveWindow = WINDOW_BYTES;
  private windowOpened: (() => void) | undefined;
  private hasEnded = false;
  private wasReset = false;
  private unreadFrames = 0;

  constructor(
    private readonly output: StreamOutput,
    /** Where it is connected to. */
    readonly endpoint: Endpoint,
  ) {
    super({ readableHighWaterMark: READ_BUFFER_BYTES, writableHighWaterMark: READ_BUFFER_BYTES, emitClose: true });
  }

  /** Like that of a socket: frames are sent as soon as possible anyway. */
  setNoDelay(): this {
    return this;
  }

  /** Like that of a socket: the connection as a whole is kept alive. */
  setKeepAlive(): this {
    return this;
  }

  receiveData(payload: Buffer): void {
    if (this.hasEnded) throw new ProtocolError('data came after the end of a stream');
    this.receiveWindow -= payload.length;
    if (this.receiveWindow < 0) throw new ProtocolError('a stream exceeded its window');
    if (payload.length === 0) throw new ProtocolError('a frame has no data');
    this.bytesRead += payload.length;
    this.unreadFrames = this.readableLength === 0 ? 1 : this.unreadFrames + 1;
    if (this.unreadFrames > MAX_UNREAD_FRAMES) this.destroy(new StreamResetError('its data came in too many pieces'));
    // Copied, because a frame is a part of a larger piece of memory.
    else this.push(Buffer.from(payload));
  }

  receiveWindowOf(payload: Buffer): void {
    if (payload.length !== 4) throw new ProtocolError('a window is not a number');
    const more = payload.readUInt32BE(0);
    if (more === 0) throw new ProtocolError('a window is empty');
    this.sendWindow += more;
    if (this.sendWindow > MAX_WINDOW_BYTES) throw new ProtocolError('a window is too large');
    this.windowOpened?.();
  }

  receiveEnd(): void {
    if (this.hasEnded) throw new ProtocolError('a stream ended twice');
    this.hasEnded = true;
    this.push(null);
  }

  receiveReset(reason: string): void {
    this.wasReset = true;
    this.destroy(new StreamResetError(reason));
  }

  override _read(): void {
    const consumed = WINDOW_BYTES - this.receiveWindow - this.readableLength;
    if (this.hasEnded || this.destroyed || consumed < WINDOW_BYTES / 4) return;
    this.receiveWindow += consumed;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(consumed);
    void this.output.send(FRAME.window, payload).catch(() => {});
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.sendAll(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.output.send(FRAME.end).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.windowOpened?.();
    const isComplete = this.hasEnded && this.writableFinished;
    if (!isComplete && !this.wasReset) {
      void this.output.send(FRAME.reset, Buffer.from(error?.message.slice(0, 300) ?? '')).catch(() => {});
    }
    this.output.over(this.hasEnded || this.wasReset ? 0 : this.receiveWindow);
    done(error);
  }

  private async sendAll(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      while (this.sendWindow <= 0 && !this.destroyed) await new Promise<void>((open) => (this.windowOpened = open));
      if (this.destroyed) throw new StreamResetError('the stream was closed');
      const part = rest.subarray(0, Math.min(this.sendWindow, MAX_DATA_BYTES));
      this.sendWindow -= part.length;
      this.bytesWritten += part.length;
      rest = rest.subarray(part.length);
      await this.output.send(FRAME.data, part);
    }
  }
}

/** Copies in both directions. What ends on one side ends on the other, and what breaks off on one side is reset there. */
export function couple(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => {});
    if (from.destroyed) {
      to.destroy(new StreamResetError(from.errored?.message ?? 'the connection was closed'));
      return;
    }
    from.pipe(to);
    from.once('close', () => {
      const reason = from.errored?.message ?? 'the connection was closed';
      if (!(from.readableEnded && from.writableFinished)) to.destroy(new StreamResetError(reason));
    });
  }
}
