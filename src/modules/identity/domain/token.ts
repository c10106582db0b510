import { createHash, randomBytes } from 'node:crypto';

/** A token of a session, of a sign-in that waits for a code, or of a link that is used once. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The database has only the hash. A token with 256 random bits needs no slow hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
