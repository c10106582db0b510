import busboy from 'busboy';
import type { NextFunction, Response } from 'express';
import { invalid } from '../../kernel/domain-error';
import { discardUnread } from '../../platform/http/lingering-close';
import { StreamedBody } from '../../platform/http/streamed-body';
import type { PortalRequest, StreamedFile } from './portal-request';
import { MULTIPART } from './uploads';

/** The file is the last field of the form. */
const LIMITS = { fields: 20, fieldSize: 16 * 1_024, files: 1, parts: 21 };

/**
 * Reads the fields of a form up to its file, which waits on the connection until a service reads it. So the guard checks the
 * session and the token of the form before any of the file is accepted.
 */
export function readFieldsBeforeFile(request: PortalRequest, response: Response, next: NextFunction): void {
  if (request.method !== 'POST' || typeof request.is(MULTIPART) !== 'string') return next();
  request.isFormStreamed = true;
  const fields = new Map<string, string>();
  const form = formOf(request);
  if (form === undefined) return next(damagedForm());
  let isDone = false;
  const goOn = (error?: unknown): void => {
    if (isDone) return;
    isDone = true;
    request.body = Object.fromEntries(fields);
    next(error);
  };
  form.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) goOn(invalid(`The field ${name} is too long.`));
    fields.set(name, value);
  });
  form.on('file', (_name, content, { filename }) => {
    // The reader of the file gets the error.
    content.on('error', () => undefined);
    request.streamedFile = { name: filename ?? '', body: new StreamedBody(request, content) };
    goOn();
  });
  form.on('error', () => goOn(damagedForm()));
  form.once('close', () => goOn());
  request.once('close', () => {
    if (!request.complete) form.destroy(new Error('the connection was closed'));
  });
  response.once('finish', () => {
    request.unpipe(form);
    discardUnread(request);
  });
  request.pipe(form);
}

function formOf({ headers }: PortalRequest): busboy.Busboy | undefined {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: LIMITS });
  } catch {
    return undefined;
  }
}

const damagedForm = () => invalid('The form is damaged. Load the page again and repeat it.');

/** Browsers send a file without a name if none was chosen. */
export function requireStreamedFile({ streamedFile }: PortalRequest): StreamedFile {
  if (streamedFile === undefined || streamedFile.name === '') throw invalid('Choose a file.');
  return streamedFile;
}
