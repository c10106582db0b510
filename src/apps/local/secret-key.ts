import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made once, and kept beside the embedded database: what its secrets are encrypted under, unless the user has a key. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key');

/** Which key was in use at the last start, whosever it was. */
const markFile = (dataDir: string): string => `${secretKeyFile(dataDir)}.sha256`;

/** The key for an embedded database at this start. */
export class SecretKey {
  private readonly kept: string | undefined;
  private readonly key: string;
  private readonly mark: string;

  constructor(
    private readonly dataDir: string,
    private readonly ofUser: string | undefined,
  ) {
    this.kept = textOf(secretKeyFile(dataDir));
    this.key = ofUser ?? this.kept ?? randomBytes(32).toString('base64');
    this.mark = createHash('sha256').update(this.key).digest('hex');
  }

  /** Then what is in the database was encrypted under another one. */
  get isAnother(): boolean {
    return textOf(markFile(this.dataDir)) !== this.mark;
  }

  keep(): void {
    if (this.ofUser === undefined && this.kept === undefined) put(secretKeyFile(this.dataDir), this.key);
    put(markFile(this.dataDir), this.mark);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Renamed into place, so that there is never half a key. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
