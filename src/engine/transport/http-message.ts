import type { Readable } from 'node:stream';
import type { Headers } from './headers';

/** A request as it is sent. */
export interface WireRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | Buffer | null;
}

/** A response whose body is still to be read. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
  /** Throws if the body, which has been read, was cut off. */
  assertComplete(): void;
  /** An error of the body in our words, if the protocol has words of its own. */
  explain(error: unknown): unknown;
  close(): void;
}
