import { Duplex } from 'node:stream';
import { ExchangeError, failureOf } from './exchange';

const HEAD_BYTES = 9;
const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const GOAWAY = 7;
const END_STREAM = 0x1;
/** The default of HTTP/2, because we announce no other. */
const LARGEST_FRAME = 16_384;
/** The stream of the only request of a connection. */
const REQUEST_STREAM = 1;
/** A response needs only a few: settings, headers, windows, pings. */
const MOST_CONTROL_FRAMES = 200;

/**
 * Watches the incoming HTTP/2 frames of a connection. Node's client does not distinguish the end of a response from a stream
 * reset without an error, and accepts any number of informational responses.
 */
export class WatchedFrames extends Duplex {
  /** Whether the response has its stated end. */
  hasEnded = false;
  /** Whether the other side abandoned the request or the connection. */
  wasGivenUp = false;
  private readonly head = Buffer.alloc(HEAD_BYTES);
  private headBytes = 0;
  private payloadBytes = 0;
  private controlFrames = 0;

  constructor(private readonly line: Duplex) {
    super();
    line.on('data', (chunk: Buffer) => {
      try {
        this.watch(chunk);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error('no frame', { cause: error }));
        return;
      }
      if (!this.push(chunk)) line.pause();
    });
    line.on('end', () => this.push(null));
    line.on('error', (error) => this.destroy(error));
    line.on('close', () => this.destroy());
    // Without a listener, a late error of the stream would end the process.
    this.on('error', () => {});
  }

  /** The error of the connection itself, which explains those of the client. */
  get cause(): ExchangeError | null {
    const failure = this.errored === null ? null : failureOf(this.errored);
    return failure && new ExchangeError(failure.code, failure.reason);
  }

  private watch(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.payloadBytes > 0) {
        const skipped = Math.min(this.payloadBytes, chunk.length - at);
        this.payloadBytes -= skipped;
        at += skipped;
        continue;
      }
      const copied = chunk.copy(this.head, this.headBytes, at, at + HEAD_BYTES - this.headBytes);
      this.headBytes += copied;
      at += copied;
      if (this.headBytes === HEAD_BYTES) this.takeFrame();
    }
  }

  private takeFrame(): void {
    this.headBytes = 0;
    this.payloadBytes = this.head.readUIntBE(0, 3);
    if (this.payloadBytes > LARGEST_FRAME) throw new ExchangeError('protocol', 'the response is not valid HTTP/2');
    const [type, flags] = [this.head[3], this.head[4] ?? 0];
    const isOfRequest = (this.head.readUInt32BE(5) & 0x7fff_ffff) === REQUEST_STREAM;
    if ((type === DATA || type === HEADERS) && isOfRequest && (flags & END_STREAM) !== 0) this.hasEnded = true;
    if (type === GOAWAY || (type === RST_STREAM && isOfRequest)) this.wasGivenUp = true;
    if (type === DATA) return;
    this.controlFrames += 1;
    if (this.controlFrames > MOST_CONTROL_FRAMES)
      throw new ExchangeError(
        'protocol',
        `the response has more than ${MOST_CONTROL_FRAMES} HTTP/2 frames without content`,
      );
  }

  override _read(): void {
    this.line.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.line.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.line.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.line.destroy();
    done(error);
  }
}
