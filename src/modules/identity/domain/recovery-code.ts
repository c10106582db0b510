import { createHash, randomBytes } from 'node:crypto';
import { base32 } from '../../../kernel/totp';

const CODES = 10;
const CODE_BYTES = 10;

/** Each of 80 random bits in four groups, which people can type: `abcd-efgh-ijkl-mnop`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => (base32(randomBytes(CODE_BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-'));

const normalized = (code: string): string => code.toLowerCase().replaceAll(/[^a-z2-7]/g, '');

export const isRecoveryCode = (code: string): boolean => normalized(code).length === (CODE_BYTES * 8) / 5;

/** SHA-256 without a salt: 80 random bits cannot be guessed. */
export const hashRecoveryCode = (code: string): Buffer => createHash('sha256').update(normalized(code)).digest();
