import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the embedded database's secrets are encrypted under: made once, and kept beside it. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

export const hasSecretKey = (dataDir: string): boolean => existsSync(secretKeyFile(dataDir));

/** Renamed into place, so that there is never half a key. */
export function makeSecretKey(dataDir: string): void {
  const file = secretKeyFile(dataDir);
  writeFileSync(`${file}.new`, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
