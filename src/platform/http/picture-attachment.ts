import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  MIN_PICTURE_PIXELS,
  type Picture,
  PICTURE_MEDIA_TYPES,
} from '../../kernel/picture';
import { Attachment } from './attachment';

/** The body of an operation that sets a picture. */
export const pictureFile = { mediaTypes: PICTURE_MEDIA_TYPES, maxBytes: MAX_PICTURE_BYTES } as const;

export const PICTURE_LIMITS = `PNG or JPEG, at most ${MAX_PICTURE_BYTES / 1024} KiB, and from ${MIN_PICTURE_PIXELS} to ${MAX_PICTURE_PIXELS} pixels wide and high.`;

/** A browser that opens a picture runs nothing in it. */
export const PICTURE_POLICY = "sandbox; default-src 'none'";

/** A picture as a download. */
export const presentPicture = (name: string, { mediaType, content, sha256 }: Picture): Attachment =>
  new Attachment({
    contentType: mediaType,
    name: `${name}.${mediaType === 'image/png' ? 'png' : 'jpg'}`,
    size: content.length,
    digest: sha256.toString('hex'),
    headers: { 'Content-Security-Policy': PICTURE_POLICY },
    async *read({ from, to }) {
      yield content.subarray(from, to + 1);
    },
  });
