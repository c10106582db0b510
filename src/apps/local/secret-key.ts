import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made once, and kept beside the embedded database: what its secrets are encrypted under, unless the user has a key. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

/** Which key was in use at the last start, whosever it was. */
const hashFile = (dataDir: string): string => `${secretKeyFile(dataDir)}.sha256`;

/** The key for an embedded database at this start. */
export class SecretKey {
  private readonly storedKey: string | undefined;
  private readonly key: string;
  private readonly hash: string;

  constructor(
    private readonly dataDir: string,
    private readonly configuredKey: string | undefined,
  ) {
    this.storedKey = readIfPresent(secretKeyFile(dataDir));
    this.key = configuredKey ?? this.storedKey ?? randomBytes(32).toString('base64');
    this.hash = createHash('sha256').update(this.key).digest('hex');
  }

  /** Then what is in the database was encrypted under another one. */
  get hasChanged(): boolean {
    return readIfPresent(hashFile(this.dataDir)) !== this.hash;
  }

  store(): void {
    if (this.configuredKey === undefined && this.storedKey === undefined)
      writeAtomically(secretKeyFile(this.dataDir), this.key);
    writeAtomically(hashFile(this.dataDir), this.hash);
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Renamed into place, so that there is never half a key. */
function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
