import { capitalized } from '../../kernel/capitalized';
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  MIN_PICTURE_PIXELS,
  type Picture,
  PICTURE_MEDIA_TYPES,
} from '../../kernel/picture';
import type { Caller } from '../api/caller';
import type { Scope } from '../api/scope';
import { Attachment } from './attachment';
import { CurrentCaller } from './caller.decorator';
import { FileBody, UploadedFile } from './file-body';
import { operationsTagged } from './operation';

/** A browser that opens a picture runs nothing in it. */
export const PICTURE_POLICY = "sandbox; default-src 'none'";

const LIMITS = `PNG or JPEG, at most ${MAX_PICTURE_BYTES / 1024} KiB, and from ${MIN_PICTURE_PIXELS} to ${MAX_PICTURE_PIXELS} pixels wide and high.`;

const file = { mediaTypes: PICTURE_MEDIA_TYPES, maxBytes: MAX_PICTURE_BYTES } as const;

interface PictureOptions {
  /** Whose picture it is. */
  readonly record: 'event' | 'organization';
  readonly noun: 'picture' | 'logo';
  readonly path: `/${string}`;
  /** The name of the path parameter, and what reads it. */
  readonly id: string;
  readonly Key: (name: string) => ParameterDecorator;
  /** What follows the limits of the file. */
  readonly onReplace?: string;
  readonly onDelete?: string;
}

interface Pictures<Key> {
  get(scope: Scope, key: Key): Promise<Picture>;
  replace(caller: Caller, key: Key, mediaType: string, content: Buffer): Promise<void>;
  remove(caller: Caller, key: Key): Promise<void>;
}

/** The routes of a picture that admins set and delete. */
export function PictureRoutes<Id>({ record, noun, path, id, Key, onReplace = '', onDelete }: PictureOptions) {
  const operation = operationsTagged(`${capitalized(record)}s`);
  const ofRecord = `the ${noun} of an ${record}`;
  const name = `${capitalized(record)}${capitalized(noun)}`;
  const audit = { resource: record, id };

  abstract class Routes {
    protected abstract readonly pictures: Pictures<Id>;

    @operation(`PUT ${path}`, {
      id: `replace${name}`,
      summary: `Set ${ofRecord}`,
      description: `The body is the file: ${LIMITS}${onReplace}`,
      role: 'admin',
      file,
      ifMatch: `download${name}`,
      success: { status: 204, description: `The ${noun} was set.` },
      errors: [400, 401, 403, 404, 413, 415],
      audit: { ...audit, operation: `${record}.${noun}_change` },
    })
    async replace(@CurrentCaller() caller: Caller, @Key(id) key: Id, @UploadedFile() body: FileBody): Promise<void> {
      await this.pictures.replace(caller, key, body.mediaType, body.content);
    }

    @operation(`GET ${path}`, {
      id: `download${name}`,
      summary: `Download ${ofRecord}`,
      role: 'viewer',
      entityTag: true,
      success: { description: 'The file.', file: PICTURE_MEDIA_TYPES },
    })
    async download(@CurrentCaller() { scope }: Caller, @Key(id) key: Id): Promise<Attachment> {
      const { mediaType, content, sha256 } = await this.pictures.get(scope, key);
      return new Attachment({
        contentType: mediaType,
        name: `${noun}.${mediaType === 'image/png' ? 'png' : 'jpg'}`,
        size: content.length,
        digest: sha256.toString('hex'),
        headers: { 'Content-Security-Policy': PICTURE_POLICY },
        async *read({ from, to }) {
          yield content.subarray(from, to + 1);
        },
      });
    }

    @operation(`DELETE ${path}`, {
      id: `delete${name}`,
      summary: `Delete ${ofRecord}`,
      ...(onDelete !== undefined && { description: onDelete }),
      role: 'admin',
      ifMatch: `download${name}`,
      success: { status: 204, description: `The ${noun} was deleted.` },
      audit: { ...audit, operation: `${record}.${noun}_delete` },
    })
    async remove(@CurrentCaller() caller: Caller, @Key(id) key: Id): Promise<void> {
      await this.pictures.remove(caller, key);
    }
  }
  return Routes;
}
