import { randomBytes } from 'node:crypto';

/** A path that surely does not exist: how the target answers it is how it answers where there is nothing. */
export const missingPath = (): string => `/nothing-${randomBytes(6).toString('hex')}`;

/** Such a path, wherever it comes back in an answer. */
export const MISSING_PATH = /\/nothing-[\da-f]{12}/;
