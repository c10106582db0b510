import { createHmac, randomBytes } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238) with what every authenticator app supports: SHA-1, six digits, 30 seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Clocks of phones differ, so the codes of the step before and after are accepted too. */
const DRIFT_STEPS = [0, -1, 1];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 160 bits, the length of the hash (RFC 4226, section 4). */
export const newTotpSecret = (): Buffer => randomBytes(20);

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1_000 / STEP_SECONDS);

export function totpCode(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash.readUInt8(hash.length - 1) & 0x0f;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The time step that a code belongs to; undefined if it is wrong. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const current = stepAt(now);
  return DRIFT_STEPS.map((drift) => current + drift).find((step) => totpCode(secret, step) === code);
}

/** Without padding, as authenticator apps expect it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The content of the QR code. */
export function otpauthUri(secret: Buffer, email: string): string {
  const parameters = new URLSearchParams({ secret: base32(secret), issuer: 'Assay' });
  return `otpauth://totp/${encodeURIComponent(`Assay:${email}`)}?${parameters}`;
}

/** Of what people copy: any case, with spaces, hyphens and padding. Null for another text. */
export function bytesOfBase32(text: string): Buffer | null {
  const letters = text.toUpperCase().replace(/[\s=-]/g, '');
  if (letters === '' || /[^A-Z2-7]/.test(letters)) return null;
  const bits = Array.from(letters, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
