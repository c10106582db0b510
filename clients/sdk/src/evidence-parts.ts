import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

export const EVIDENCE_TYPE = 'assay/retest-evidence/1';

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const partOf = (value: unknown, name: string): Fields => {
  const part = isFields(value) ? value[name] : undefined;
  return isFields(part) ? part : {};
};

/** The id of a key is a hash of the key, so it cannot belong to another key. */
export function keysIn(document: unknown): Map<string, KeyObject> {
  const listed = isFields(document) ? document['keys'] : undefined;
  if (!Array.isArray(listed)) throw new Error('There are no keys. Use the response of GET /v1/evidence-keys.');
  return new Map(
    listed.map((one: unknown): [string, KeyObject] => {
      const { id, public_key: pem } = isFields(one) ? one : {};
      if (typeof id !== 'string' || typeof pem !== 'string') throw new Error('A key has no id or public_key.');
      const key = createPublicKey(pem);
      const bytes = key.export({ format: 'der', type: 'spki' });
      if (createHash('sha256').update(bytes).digest('hex').slice(0, 16) !== id)
        throw new Error('A key does not match its id.');
      return [id, key];
    }),
  );
}
