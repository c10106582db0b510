import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface KeyMaterial {
  readonly accessKey: string;
  /** Shown only once; the database has only its hash. */
  readonly secret: string;
}

const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');

/** Six base62 characters of the CRC-32, so that secret scanners can recognize a secret. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < 6; index++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

export function newSecret(): string {
  const body = randomBytes(32).toString('base64url');
  return `as_${body}${checksumOf(body)}`;
}

export const newKeyMaterial = (): KeyMaterial => ({ accessKey: `ak_${randomBase62(20)}`, secret: newSecret() });

/** SHA-256 without a salt: a secret with 256 random bits cannot be guessed, so no slow hash is needed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
