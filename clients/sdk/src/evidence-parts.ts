import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;

export const EVIDENCE_TYPE = 'assay/retest-evidence/1';

/** Of a retest. */
export const RESULTS: ReadonlySet<unknown> = new Set(['still_vulnerable', 'fixed', 'inconclusive', 'blocked']);

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const partOf = (value: unknown, name: string): Fields => {
  const part = isFields(value) ? value[name] : undefined;
  return isFields(part) ? part : {};
};

export function requireThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

export const hasOnly = (fields: Fields, names: readonly string[]): boolean =>
  Object.keys(fields).length === names.length && names.every((name) => Object.hasOwn(fields, name));

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

/** As it was signed (RFC 8785): names in order, no spaces. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
    .join(',')}}`;
}
