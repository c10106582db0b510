import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The generated key that encrypts secrets in the embedded database, unless the user has set SECRET_KEY. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

/** The hash of the key of the last start, generated or configured. */
const hashFile = (dataDir: string): string => `${secretKeyFile(dataDir)}.sha256`;

/** The key of the embedded database at this start. */
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

  /** Whether secrets in the database were encrypted with another key. */
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

/** Writes a temporary file and renames it, so that no incomplete key is stored. */
function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
