import type { IncomingMessage } from 'node:http';
import express, { type NextFunction, type Response } from 'express';
import { DomainError } from '../../kernel/domain-error';
import type { PortalRequest, Upload } from './portal-request';

export const MULTIPART = 'multipart/form-data';
/** The largest file of a form, and its other fields. */
const MAX_BYTES = 260 * 1024;

const isRead = (request: IncomingMessage): boolean =>
  (request as PortalRequest).isFormStreamed !== true && typeof (request as PortalRequest).is(MULTIPART) === 'string';

const raw = express.raw({ type: isRead, limit: MAX_BYTES });

/** Reads forms with a file: the fields become the body, like those of other forms, and the file `request.uploads`. */
export const readUploads = [raw, parse] as const;

async function parse(request: PortalRequest, _response: Response, next: NextFunction): Promise<void> {
  if (!Buffer.isBuffer(request.body)) return next();
  const uploads = new Map<string, Upload>();
  const fields: Record<string, string> = {};
  try {
    const headers = { 'content-type': request.get('content-type') ?? '' };
    const form = await new globalThis.Response(new Uint8Array(request.body), { headers }).formData();
    for (const [name, value] of form.entries()) {
      if (typeof value === 'string') fields[name] = value;
      else uploads.set(name, { mediaType: value.type, content: Buffer.from(await value.arrayBuffer()) });
    }
  } catch {
    return next(new DomainError('invalid', 'The form is damaged. Load the page again and repeat it.'));
  }
  request.body = fields;
  request.uploads = uploads;
  next();
}

/** The file of a form. The browser states its media type, so the service checks the content. */
export function requireUpload({ uploads }: PortalRequest, name: string, mediaTypes: readonly string[]): Upload {
  const upload = uploads?.get(name);
  if (upload === undefined || upload.content.length === 0) throw new DomainError('invalid', 'Choose a file.');
  if (mediaTypes.includes(upload.mediaType)) return upload;
  throw new DomainError('unsupported_media_type', `The file must be one of: ${mediaTypes.join(', ')}.`);
}
