import busboy from 'busboy';
import type { NextFunction, Response } from 'express';
import { DomainError, invalid } from '../../kernel/domain-error';
import { discardUnread } from '../../platform/http/lingering-close';
import { beginStreaming, MAX_FORM_BYTES, StreamedBody } from '../../platform/http/streamed-body';
import type { PortalRequest, StreamedFile } from './portal-request';
import { MULTIPART } from './uploads';

/** The files are the last fields of a form. A finding has texts of the most characters, each of the most bytes. */
const LIMITS = {
  one: { fields: 20, fieldSize: 16 * 1_024, files: 1 },
  several: { fields: 80, fieldSize: 264 * 1_024, files: 100 },
};

/** For the end of a file, and the beginning of the next one. */
const WAIT_MS = 30_000;

/** The files of a form as they arrive. Each must be read or discarded before the next one. */
class ArrivingFiles {
  private readonly files: StreamedFile[] = [];
  private isComplete = false;
  private wake = (): void => undefined;

  constructor(private readonly request: PortalRequest) {}

  add(file: StreamedFile): void {
    this.files.push(file);
    this.wake();
  }

  end(): void {
    this.isComplete = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedFile> {
    const end = beginStreaming(this.request);
    try {
      for (;;) {
        const file = this.files.shift();
        if (file !== undefined) {
          // Browsers send a file without a name if none was chosen.
          if (file.name !== '') yield file;
          await file.body.discard(WAIT_MS);
        } else if (this.isComplete) return;
        else await this.next();
      }
    } finally {
      end();
    }
  }

  private async next(): Promise<void> {
    const timer = setTimeout(() => this.end(), WAIT_MS);
    await new Promise<void>((resolve) => (this.wake = resolve));
    clearTimeout(timer);
  }
}

/**
 * Reads the fields of a form up to its first file, which waits on the connection until a service reads it. So the guard checks
 * the session and the token of the form before any of the file is accepted.
 */
export const readFieldsBeforeFiles =
  ({ haveSeveral }: { readonly haveSeveral: boolean }) =>
  (request: PortalRequest, response: Response, next: NextFunction): void => {
    if (request.method !== 'POST' || typeof request.is(MULTIPART) !== 'string') return next();
    request.isFormStreamed = true;
    const fields = new Map<string, string>();
    const form = formOf(request, haveSeveral ? LIMITS.several : LIMITS.one);
    if (form === undefined) return next(damagedForm());
    const files = new ArrivingFiles(request);
    request.streamedFiles = files;
    let isDone = false;
    let length = 0;
    const goOn = (error?: unknown): void => {
      if (isDone) return;
      isDone = true;
      request.body = Object.fromEntries(fields);
      next(error);
    };
    form.on('field', (name, value, { valueTruncated }) => {
      length += value.length;
      if (valueTruncated || length > MAX_FORM_BYTES) goOn(invalid(`The field ${name} is too long.`));
      else fields.set(name, value);
    });
    form.on('file', (_name, content, { filename }) => {
      // The reader of the file gets the error.
      content.on('error', () => undefined);
      files.add({
        name: filename ?? '',
        body: new StreamedBody(request, content, haveSeveral ? Infinity : MAX_FORM_BYTES),
      });
      goOn();
    });
    form.on('error', () => {
      files.end();
      goOn(damagedForm());
    });
    form.once('close', () => {
      files.end();
      goOn();
    });
    request.once('close', () => {
      if (!request.complete) form.destroy(new Error('the connection was closed'));
    });
    response.once('finish', () => {
      request.unpipe(form);
      discardUnread(request);
    });
    request.pipe(form);
  };

function formOf({ headers }: PortalRequest, limits: busboy.Limits): busboy.Busboy | undefined {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits });
  } catch {
    return undefined;
  }
}

const damagedForm = () => invalid('The form is damaged. Load the page again and repeat it.');

export async function requireStreamedFile({ streamedFiles = noFiles() }: PortalRequest): Promise<StreamedFile> {
  for await (const file of streamedFiles) return file;
  throw invalid('Choose a file.');
}

/** The whole file of a form, for one that fits into memory. */
export async function readStreamedFile(request: PortalRequest, maxBytes: number): Promise<Buffer> {
  const { body } = await requireStreamedFile(request);
  const chunks: Buffer[] = [];
  for await (const chunk of body.chunks({ maxBytes, graceMs: WAIT_MS })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The files of a form that may have none, and that has at most so many bytes. */
export function streamedFilesOf(
  { headers, streamedFiles }: PortalRequest,
  maxBytes: number,
): AsyncIterable<StreamedFile> {
  if (streamedFiles !== undefined && Number(headers['content-length'] ?? 0) > maxBytes + MAX_FORM_BYTES)
    throw new DomainError(
      'too_large',
      `The files must be at most ${maxBytes} bytes together. Attach some of them later.`,
    );
  return streamedFiles ?? noFiles();
}

async function* noFiles(): AsyncGenerator<StreamedFile> {}
