import { type KeyObject, verify } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, EVIDENCE_TYPE, type Fields, isFields, keysIn, partOf } from './evidence-parts';
import { parseUnambiguousJson } from './unambiguous-json';

export type Authenticity =
  | { readonly authentic: true; readonly key: string; readonly evidence: Fields }
  | { readonly authentic: false; readonly reason: string };

const UNSIGNED_FIELDS = ['uuid', 'status', 'result', 'reason'];
const FIELDS: ReadonlySet<string> = new Set([...UNSIGNED_FIELDS, 'evidence', 'signature']);
const SIGNATURE_FIELDS: ReadonlySet<string> = new Set(['algorithm', 'key', 'value']);

const altered = (what: string): Authenticity => ({ authentic: false, reason: `It was altered: ${what}` });
const refused = (reason: string): Authenticity => ({ authentic: false, reason });

/**
 * Verifies the texts of `GET /v1/findings/{id}/retest/evidence` and `GET /v1/evidence-keys` without a network. Takes texts,
 * because a parsed document no longer shows that a name was in it twice.
 */
export function verifyEvidence(evidenceText: string, keysText: string): Authenticity {
  let document: unknown;
  let keys: Map<string, KeyObject>;
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
  if (
    evidence['type'] !== EVIDENCE_TYPE ||
    algorithm !== 'Ed25519' ||
    typeof value !== 'string' ||
    typeof id !== 'string'
  )
    return refused('The type of the evidence or its signature algorithm is not supported.');
  const around = Object.keys(document).find((name) => !FIELDS.has(name));
  const within = Object.keys(signature).find((name) => !SIGNATURE_FIELDS.has(name));
  if (around !== undefined || within !== undefined) return altered('it has a field that evidence does not have.');
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length !== 64 || bytes.toString('base64') !== value)
    return altered('the value of its signature is not 64 bytes in Base64.');
  const key = keys.get(id);
  if (key === undefined) return refused('It is signed with a key that is not among the given keys.');
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
