import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Picture } from '../../kernel/picture';
import { PICTURE_POLICY } from '../../platform/http/picture-routes';

/** A picture for a page. */
export function pictureResponse({ content, mediaType }: Picture, response: Response): StreamableFile {
  response.setHeader('Content-Security-Policy', PICTURE_POLICY);
  return new StreamableFile(content, { type: mediaType, length: content.length });
}
