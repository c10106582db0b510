import { createHash } from 'node:crypto';

/** A custom UUID (RFC 9562, version 8) derived from the content that it names. */
export function contentUuid(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
