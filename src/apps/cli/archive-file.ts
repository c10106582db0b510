import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { canonicalJson, type PublicKey, type SigningKey } from '../../engine';
import { invalid, unprocessable } from '../../kernel/domain-error';

const TYPE = 'assay/history-archive/1';

/** What is signed about an archive. */
export interface ArchiveManifest {
  readonly type: typeof TYPE;
  readonly sha256: string;
  /** Everything in it is older. */
  readonly before: string;
  readonly auditLogs: number;
  readonly findingHistory: number;
  /** How many of the audit entries are in each partition. Archives of version 0.1.0 do not say it. */
  readonly partitions?: Readonly<Record<string, number>>;
  readonly signed: string;
}

/** One line of the file. */
export interface ArchivedRow {
  readonly table: 'audit_logs' | 'finding_history';
  readonly row: { readonly id: string | number; readonly organization_id: number };
}

export const signatureFileOf = (file: string): string => `${file}.sig.json`;

export const hasSignature = (file: string): boolean => existsSync(signatureFileOf(file));

export function signedManifest(facts: Omit<ArchiveManifest, 'type' | 'signed'>, key: SigningKey): string {
  const manifest: ArchiveManifest = { type: TYPE, ...facts, signed: new Date().toISOString() };
  const value = sign(null, Buffer.from(canonicalJson(manifest)), key.privateKey).toString('base64');
  return `${JSON.stringify({ manifest, signature: { algorithm: 'Ed25519', key: key.id, value } }, null, 2)}\n`;
}

/** Throws unless one of these keys signed the archive and it was not changed. */
export async function verifyArchive(file: string, keys: readonly PublicKey[]): Promise<ArchiveManifest> {
  const { manifest, signature } = await readSignature(file);
  const key = keys.find(({ id }) => id === signature.key);
  if (key === undefined)
    throw unprocessable(`Not authentic. ${file} is signed with a key that is not among the given keys.`);
  if (
    !verify(
      null,
      Buffer.from(canonicalJson(manifest)),
      createPublicKey(key.pem),
      Buffer.from(signature.value, 'base64'),
    )
  )
    throw unprocessable(`Not authentic. ${signatureFileOf(file)} was changed, or was signed with another key.`);
  if (manifest.type !== TYPE || (await sha256Of(file)) !== manifest.sha256)
    throw unprocessable(`Not authentic. ${file} was changed after it was signed.`);
  return manifest;
}

async function readSignature(
  file: string,
): Promise<{ manifest: ArchiveManifest; signature: { key: string; value: string } }> {
  try {
    const { manifest, signature } = JSON.parse(await readFile(signatureFileOf(file), 'utf8'));
    return { manifest, signature: { key: String(signature.key), value: String(signature.value) } };
  } catch (error) {
    throw invalid(`${signatureFileOf(file)} is not the signature of an archive: ${String(error)}`);
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    throw invalid(`Cannot read ${file} (${String((error as NodeJS.ErrnoException).code)}).`);
  }
  return hash.digest('hex');
}
