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

/** A response whose body has not been read yet. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
  /** Throws if the body was truncated. Call it after reading the body. */
  assertComplete(): void;
  /** Translates an error of the body, if the protocol has its own errors. */
  explain(error: unknown): unknown;
  close(): void;
}
