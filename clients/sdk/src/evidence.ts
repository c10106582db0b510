import { createHash, createPublicKey, verify } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseUnambiguousJson } from './unambiguous-json';

type Fields = Readonly<Record<string, unknown>>;

export type Authenticity =
  | { readonly authentic: true; readonly key: string; readonly evidence: Fields }
  | { readonly authentic: false; readonly reason: string };

const TYPE = 'assay/retest-evidence/1';
const UNSIGNED_FIELDS = ['uuid', 'status', 'result', 'reason'];
const FIELDS: ReadonlySet<string> = new Set([...UNSIGNED_FIELDS, 'evidence', 'signature']);
const SIGNATURE_FIELDS: ReadonlySet<string> = new Set(['algorithm', 'key', 'value']);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, name: string): Fields => {
  const part = isFields(value) ? value[name] : undefined;
  return isFields(part) ? part : {};
};
const altered = (what: string): Authenticity => ({ authentic: false, reason: `It was altered: ${what}` });
const refused = (reason: string): Authenticity => ({ authentic: false, reason });

/**
 * Verifies the texts of `GET /v1/findings/{id}/retest/evidence` and `GET /v1/evidence-keys` without a network. Takes texts,
 * because a parsed document no longer shows that a name was in it twice.
 */
export function verifyEvidence(evidenceText: string, keysText: string): Authenticity {
  let document: unknown;
  let keys: Map<string, string>;
  try {
    document = parseUnambiguousJson(evidenceText);
    keys = keysIn(parseUnambiguousJson(keysText));
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
  if (!isFields(document)) return refused('The document is not signed evidence.');
  const { evidence, signature } = document;
  if (!isFields(evidence) || !isFields(signature)) return refused('The document is not signed evidence.');
  const { algorithm, key: id, value } = signature;
  if (evidence['type'] !== TYPE || algorithm !== 'Ed25519' || typeof value !== 'string' || typeof id !== 'string')
    return refused('The type of the evidence or its signature algorithm is not supported.');
  const around = Object.keys(document).find((name) => !FIELDS.has(name));
  const within = Object.keys(signature).find((name) => !SIGNATURE_FIELDS.has(name));
  if (around !== undefined || within !== undefined) return altered('it has a field that evidence does not have.');
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== 64 || bytes.toString('base64') !== value)
    return altered('the value of its signature is not 64 bytes in Base64.');
  const pem = keys.get(id);
  if (pem === undefined) return refused('It is signed with a key that is not among the given keys.');
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') return refused('The given key with this id is not an Ed25519 key.');
  const canonical = canonicalJson(evidence);
  if (!isDeepStrictEqual(JSON.parse(canonical), evidence) || !verify(null, Buffer.from(canonical), key, bytes))
    return refused('The evidence was changed after it was signed, or was signed with another key.');
  const { result, reason } = partOf(evidence, 'verdict');
  const signed: Fields = { uuid: partOf(evidence, 'subject')['retest'], status: 'finished', result, reason };
  const other = UNSIGNED_FIELDS.find((name) => Object.hasOwn(document, name) && document[name] !== signed[name]);
  return other === undefined
    ? { authentic: true, key: id, evidence }
    : altered(`its "${other}" differs from the signed value.`);
}

/** The id of a key is a hash of the key, so it cannot belong to another key. */
function keysIn(document: unknown): Map<string, string> {
  const listed = isFields(document) ? document['keys'] : undefined;
  if (!Array.isArray(listed)) throw new Error('There are no keys. Use the response of GET /v1/evidence-keys.');
  return new Map(
    listed.map((one: unknown): [string, string] => {
      const { id, public_key: pem } = isFields(one) ? one : {};
      if (typeof id !== 'string' || typeof pem !== 'string') throw new Error('A key has no id or public_key.');
      const bytes = createPublicKey(pem).export({ format: 'der', type: 'spki' });
      if (createHash('sha256').update(bytes).digest('hex').slice(0, 16) !== id)
        throw new Error('A key does not match its id.');
      return [id, pem];
    }),
  );
}

/** As it was signed (RFC 8785): names in order, no spaces. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
    .join(',')}}`;
}
