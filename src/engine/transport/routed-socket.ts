import { Duplex } from 'node:stream';
import { ExchangeError, failureOf } from './exchange';

/** A connection to a target: a socket of this machine, or a stream through a beacon. */
export type TargetSocket = Duplex & {
  /** Of all bytes that arrived, also those that no reader has taken. */
  readonly bytesRead: number;
};

const RESET = new ExchangeError('reset', 'the connection was reset');

/**
 * A stream through a beacon as a connection of the engine. A stream that ends without the end of the other side was cut
 * off. It fails with an error of the engine, because HTTP clients take the code of a socket's reset for the end of a body.
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
    // A stream without a listener would end the process with an error that comes later.
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
