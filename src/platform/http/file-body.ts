import type { IncomingMessage } from 'node:http';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/domain-error';
import type { ApiRequest } from '../api/api-request';
import type { FileLimits } from '../api/operation-metadata';
import { hasBody, readBytes, refuseCompression } from './request-bytes';

/** A file that is the body of a request. */
export class FileBody {
  constructor(
    /** One of the media types of the operation. */
    readonly mediaType: string,
    readonly content: Buffer,
  ) {}
}

/** Reads a body that is a file. Checks its media type and its size. */
export async function readFileBody(request: IncomingMessage, { mediaTypes, maxBytes }: FileLimits): Promise<FileBody> {
  if (!hasBody(request)) throw invalid(`The body is missing: send the file, as ${mediaTypes.join(' or ')}.`);
  refuseCompression(request);
  const mediaType = request.headers['content-type']?.trim().toLowerCase() ?? '';
  if (!mediaTypes.includes(mediaType)) {
    throw new DomainError(
      'unsupported_media_type',
      `The body must be a file: send it with Content-Type: ${mediaTypes.join(' or ')}.`,
    );
  }
  return new FileBody(mediaType, await readBytes(request, maxBytes));
}

/** The file that is the body of the request. */
export const UploadedFile = createParamDecorator((_data: unknown, context: ExecutionContext): FileBody => {
  const { body } = context.switchToHttp().getRequest<ApiRequest>();
  if (!(body instanceof FileBody)) throw new Error('a route asks for a file on an operation that takes none');
  return body;
});
