import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface KeyMaterial {
  readonly accessKey: string;
  /** Shown once, and kept by nobody here. */
  readonly secret: string;
}

const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

/** Six base62 characters of the CRC-32, so that a scanner can tell a real secret from a string that looks like one. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < 6; index++) {
    text = base62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

export function newKeyMaterial(): KeyMaterial {
  const body = randomBytes(32).toString('base64url');
  return { accessKey: `ak_${randomBase62(20)}`, secret: `as_${body}${checksumOf(body)}` };
}

/** A plain hash will do: the secret has 256 bits of its own, so there is nothing to guess at and nothing to slow down. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
