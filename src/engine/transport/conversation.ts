import type { Duplex } from 'node:stream';
import { failureOf, type TlsFacts } from './exchange';
import { secure } from './handshake';
import type { Recording } from './recording';

/** When to stop listening. What was heard until then counts, whether it is complete or not. */
export interface Hearing {
  readonly isWhole: (heard: Buffer) => boolean;
  readonly ms: number;
  /** The silence after a byte that ends listening. */
  readonly quietMs?: number;
  readonly bytes?: number;
}

/** More than any expected answer. */
const MOST_BYTES = 65_536;

/**
 * A connection on which the next message depends on the previous answers. Silence, garbage and the end of the connection are
 * answers, not errors.
 */
export class Conversation {
  /** Whether the other side has ended or reset the connection. */
  isOver = false;
  /** How long its requests have waited for their turns. */
  waitedMs = 0;

  constructor(
    private stream: Duplex,
    private readonly host: string,
    private readonly recording: Recording,
    private readonly turn: () => Promise<void>,
  ) {}

  /** The facts of the handshake, if there was one. */
  get tls(): TlsFacts | null {
    return this.recording.tls;
  }

  /** Call it before each HTTP request, because a connection may have many. */
  async waitForRequest(): Promise<void> {
    const began = performance.now();
    await this.turn();
    this.waitedMs += performance.now() - began;
  }

  say(message: Buffer | string): void {
    this.recording.send(message);
    if (!this.isOver) this.stream.write(message);
  }

  async hear({ isWhole, ms, quietMs = ms, bytes = MOST_BYTES }: Hearing): Promise<Buffer> {
    const end = performance.now() + ms;
    let heard = Buffer.alloc(0);
    while (!isWhole(heard) && heard.length < bytes && !this.isOver) {
      const left = end - performance.now();
      const chunk = await this.chunk(heard.length > 0 ? Math.min(left, quietMs) : left);
      if (chunk === null) break;
      this.recording.receive(chunk);
      heard = Buffer.concat([heard, chunk]);
    }
    return heard.subarray(0, bytes);
  }

  /** Whether the other side agrees on TLS. */
  async secure(ms: number): Promise<boolean> {
    // Without a protocol, because it is not yet known what is spoken over TLS.
    const secured = secure(this.stream, this.host, this.recording, { protocols: [] }).catch((error: unknown) => {
      if (failureOf(error) === null) throw error;
      return null;
    });
    let timer: NodeJS.Timeout | undefined;
    // Destroying a socket does not always end its handshake.
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    const stream = await Promise.race([secured, late]);
    clearTimeout(timer);
    this.isOver = stream === null;
    if (stream === null) this.stream.destroy();
    else this.stream = stream;
    return stream !== null;
  }

  /** The next bytes, or null if none arrive in time. */
  private chunk(ms: number): Promise<Buffer | null> {
    const { stream } = this;
    return new Promise((resolve) => {
      const settle = (chunk: Buffer | null): void => {
        clearTimeout(timer);
        stream.off('readable', read).off('end', finish).off('close', finish).off('error', finish);
        resolve(chunk);
      };
      const read = (): void => {
        const chunk: Buffer | null = stream.read();
        if (chunk !== null) settle(chunk);
      };
      const finish = (): void => {
        this.isOver = true;
        settle(null);
      };
      const timer = setTimeout(() => settle(null), Math.max(0, ms));
      stream.on('readable', read).once('end', finish).once('close', finish).once('error', finish);
      if (stream.destroyed || stream.readableEnded) finish();
      else read();
    });
  }
}
