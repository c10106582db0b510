import { randomBytes } from 'node:crypto';

/** RFC 9562, version 7: begins with the time, so that ids sort in the order of creation. */
export function uuidV7(milliseconds: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** The smallest id of an instant: the bound of a range of ids that covers a range of time. */
export function minUuidV7(milliseconds: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  return formatUuid(bytes);
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Of any UUID: others than version 7 get a time that means nothing. */
export const timeOfUuidV7 = (id: string): Date => new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));
