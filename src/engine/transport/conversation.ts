import type { Duplex } from 'node:stream';
import { failureOf, type TlsFacts } from './exchange';
import { secure } from './handshake';
import type { Recording } from './recording';

/** When listening ends. What was heard until then counts, whether it is complete or not. */
export interface Hearing {
  readonly isWhole: (heard: Buffer) => boolean;
  readonly ms: number;
  /** Without another byte, after the first one. */
  readonly quietMs?: number;
  readonly bytes?: number;
}

/** Longer than any expected answer. */
const MOST_BYTES = 65_536;

/** A connection on which what is said depends on what was heard. Silence, garbage and the end are answers, not errors. */
export class Conversation {
  /** Whether the other side has ended or reset it. */
  isOver = false;
  /** How long its requests have waited for their turn. */
  waitedMs = 0;

  constructor(
    private stream: Duplex,
    private readonly host: string,
    private readonly recording: Recording,
    private readonly turn: () => Promise<void>,
  ) {}

  /** Of the handshake, if there was one. */
  get tls(): TlsFacts | null {
    return this.recording.tls;
  }

  /** Before each request over HTTP: a connection may have many. */
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
    // Without a protocol: what is spoken below TLS is not known yet.
    const secured = secure(this.stream, this.host, this.recording, { protocols: [] }).catch((error: unknown) => {
      if (failureOf(error) === null) throw error;
      return null;
    });
    let timer: NodeJS.Timeout | undefined;
    // A destroyed socket does not always end its handshake.
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

  /** What comes next, or null if nothing comes in time. */
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
