import { Duplex } from 'node:stream';
import { ExchangeError, failureOf } from './exchange';

/** A connection to a target: a socket of this machine, or a stream through a beacon. */
export type TargetSocket = Duplex & {
  /** All bytes that have arrived, including those that no reader has taken. */
  readonly bytesRead: number;
};

const RESET = new ExchangeError('reset', 'the connection was reset');

/**
 * Makes a stream through a beacon a connection of the engine. A stream that closes before the other side has ended it was cut
 * off. It fails with an error of the engine, because HTTP clients treat the code of a socket reset as the end of a body.
 */
export class RoutedSocket extends Duplex {
  bytesRead = 0;
  private hasEnded = false;

  constructor(private readonly stream: Duplex) {
    super();
    stream.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
      if (!this.push(chunk)) stream.pause();
    });
    stream.on('end', () => {
      this.hasEnded = true;
      this.push(null);
    });
    stream.on('error', (error) => this.destroy(resetOf(error)));
    stream.on('close', () => this.hasEnded || this.destroy(RESET));
    // Without a listener, a late error of the stream would end the process.
    this.on('error', () => {});
    if (stream.destroyed) this.destroy(resetOf(stream.errored));
  }

  override _read(): void {
    this.stream.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.stream.write(chunk, encoding, (error) => done(error && resetOf(error)));
  }

  override _final(done: () => void): void {
    this.stream.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stream.destroy();
    done(error);
  }
}

function resetOf(error: unknown): ExchangeError {
  const { code, reason } = failureOf(error) ?? { code: RESET.code, reason: RESET.message };
  return new ExchangeError(code, reason);
}
