import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/domain-error';
import type { ApiRequest } from '../api/api-request';
import { requireAccess } from '../api/standing-access';
import type { UploadLimits } from '../api/operation-metadata';
import { hasBody, refuseCompression } from './request-bytes';

export interface ReadLimits {
  readonly maxBytes: number;
  /** In this time any speed is allowed. */
  readonly graceMs: number;
}

/** The minimum average speed of an upload, in bytes a second. */
export const MIN_UPLOAD_SPEED = 64 * 1_024;

const CHUNK_BYTES = 256 * 1_024;

/** The connections whose request is streamed: they have their own time limit instead of that of all requests. */
const streaming = new WeakMap<Socket, number>();

export const isStreaming = (socket: Socket): boolean => (streaming.get(socket) ?? 0) > 0;

/** Until the returned function is called. */
export function beginStreaming({ socket }: IncomingMessage): () => void {
  const count = (by: number): unknown => streaming.set(socket, (streaming.get(socket) ?? 0) + by);
  count(1);
  return () => void count(-1);
}

const INCOMPLETE = 'The body ended before it was complete. Send the file again.';

/** Of a form: its fields and boundaries, beside the file. */
export const MAX_FORM_BYTES = 512 * 1_024;

/** A file that was stored. */
export interface ReceivedFile {
  readonly sha256: Buffer;
  readonly size: number;
}

/** A file that is the body of a request, or a part of a form, read while it arrives. */
export class StreamedBody {
  private waitedMs = 0;
  private received = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly file: Readable = request,
    /** What the form may have beside the file. */
    private readonly formBytes = MAX_FORM_BYTES,
  ) {}

  private get isWholeBody(): boolean {
    return this.file === this.request;
  }

  /** What `Idempotency-Key` compares, because the file itself has not arrived when the key is claimed. */
  toJSON(): object {
    return { length: this.request.headers['content-length'] ?? null };
  }

  /** The size that the client has announced is too large, or it is not known yet. */
  requireSize(maxBytes: number): void {
    const others = this.isWholeBody ? 0 : this.formBytes;
    if (Number(this.request.headers['content-length'] ?? 0) > maxBytes + others) throw tooLarge(maxBytes);
  }

  /** Each chunk is stored before the next one is read. `position`: how many bytes were before it. */
  async store(
    limits: ReadLimits,
    add: (chunk: Buffer, at: { readonly number: number; readonly position: number }) => Promise<void>,
  ): Promise<ReceivedFile> {
    const hash = createHash('sha256');
    let [number, position] = [0, 0];
    for await (const chunk of this.chunks(limits)) {
      hash.update(chunk);
      await add(chunk, { number: number++, position });
      position += chunk.length;
    }
    return { sha256: hash.digest(), size: position };
  }

  /** Reads and forgets what is left of it, so that the next file of the form arrives. */
  async discard(graceMs: number): Promise<void> {
    const parts = this.file.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
    for (let part = await this.next(parts, graceMs); part !== undefined; part = await this.next(parts, graceMs))
      this.received += part.length;
  }

  /** The bytes in chunks of 256 KiB. The next ones are read from the connection when the previous ones were taken. */
  async *chunks({ maxBytes, graceMs }: ReadLimits): AsyncGenerator<Buffer> {
    this.requireSize(maxBytes);
    // Leaving the iteration early must not destroy the socket before the error response is sent.
    const parts = this.file.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
    const end = beginStreaming(this.request);
    try {
      let pending: Buffer[] = [];
      let size = 0;
      for (;;) {
        const part = await this.next(parts, graceMs);
        await requireAccess(this.request);
        if (part === undefined) break;
        this.received += part.length;
        if (this.received > maxBytes) throw tooLarge(maxBytes);
        pending.push(part);
        size += part.length;
        if (size < CHUNK_BYTES) continue;
        yield Buffer.concat(pending);
        pending = [];
        size = 0;
      }
      // The file of a form ends at its boundary.
      if (this.isWholeBody && !this.request.complete) throw invalid(INCOMPLETE);
      if (this.received === 0) throw invalid('The file is empty.');
      if (size > 0) yield Buffer.concat(pending);
    } finally {
      end();
      // So that the rest of the body can be read and discarded.
      void parts.return?.();
    }
  }

  /** Only the time in which the server waits for the client counts. */
  private async next(parts: AsyncIterator<Buffer>, graceMs: number): Promise<Buffer | undefined> {
    const started = performance.now();
    const allowedMs = Math.max(graceMs, (this.received / MIN_UPLOAD_SPEED) * 1_000);
    let timer: NodeJS.Timeout | undefined;
    const slow = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(tooSlow()), Math.max(0, allowedMs - this.waitedMs));
    });
    try {
      const arriving = parts.next().catch(() => {
        throw invalid(INCOMPLETE);
      });
      const { value, done } = await Promise.race([arriving, slow]);
      return done === true ? undefined : value;
    } finally {
      clearTimeout(timer);
      this.waitedMs += performance.now() - started;
    }
  }
}

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('too_large', `The file must be at most ${maxBytes} bytes. Split it into several files.`);

const tooSlow = (): DomainError =>
  new DomainError('too_slow', `The file arrives too slowly: send at least ${MIN_UPLOAD_SPEED / 1_024} KiB a second.`);

/** Checks the media type of a body that is read while it arrives. */
export function streamedBodyOf(request: IncomingMessage, { mediaTypes }: UploadLimits): StreamedBody {
  if (!hasBody(request)) throw invalid('The body is missing: send the file as the body of the request.');
  refuseCompression(request);
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  if (!mediaTypes.includes(mediaType.trim().toLowerCase())) {
    throw new DomainError(
      'unsupported_media_type',
      `The body must be the file itself: send it with Content-Type: application/octet-stream, or ${mediaTypes.slice(1).join(', ')}.`,
    );
  }
  return new StreamedBody(request);
}

/** The file that is streamed in the body of the request. */
export const StreamedFile = createParamDecorator((_data: unknown, context: ExecutionContext): StreamedBody => {
  const { body } = context.switchToHttp().getRequest<ApiRequest>();
  if (!(body instanceof StreamedBody))
    throw new Error('a route asks for a streamed file on an operation that takes none');
  return body;
});
