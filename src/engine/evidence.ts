import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../kernel/is-record';
import type { Assessment } from './assess';
import type { Check } from './check';
import type { Baseline } from './baseline';
import { locationOf, type Target } from './target';
import type { Verdict, Verification } from './verdict';

const TYPE = 'assay/retest-evidence/1';
const ALGORITHM = 'Ed25519';
const SIGNATURE_BYTES = 64;

export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

export interface PublicKey {
  readonly id: string;
  /** SubjectPublicKeyInfo as PEM. */
  readonly pem: string;
}

/** The beacon through which the target was reached. */
export interface EvidenceBeacon {
  readonly id: number;
  readonly name: string;
  /** The version as the agent reports it. */
  readonly agent_version: string | null;
}

/** The retest and its result, with everything that a third party needs to verify it. */
export interface Evidence {
  readonly type: typeof TYPE;
  /** The ids of the retest and the finding. */
  readonly subject: Readonly<Record<string, string | number | null>>;
  readonly check: { readonly id: string; readonly title: string };
  readonly target: string;
  /** Null for a target that was reached directly. */
  readonly beacon: EvidenceBeacon | null;
  /** The baseline of the controls. */
  readonly baseline: Baseline | null;
  readonly probes: readonly Assessment[];
  readonly verdict: Verdict;
  readonly signed: string;
  /** How far the clock of the worker was ahead of the database's clock, which all times use; absent if it was right. */
  readonly clock_difference_ms?: number;
}

/** When the evidence is signed, and the difference between this time and the clock of the machine. */
export interface SigningTime {
  readonly now: Date;
  readonly differenceMs: number | null;
}

export interface SignedEvidence {
  readonly evidence: Evidence;
  readonly signature: { readonly algorithm: typeof ALGORITHM; readonly key: string; readonly value: string };
}

/** A canonical form of a value (RFC 8785), with sorted keys and no spaces, so that a signature does not depend on the parser. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

/** The id of a key is a hash of the key, so it cannot belong to another key. */
export const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update((key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);

export function signEvidence(
  subject: Evidence['subject'],
  check: Check,
  target: Target,
  baseline: Baseline | null,
  { probes, verdict }: Pick<Verification, 'probes' | 'verdict'>,
  beacon: EvidenceBeacon | null,
  key: SigningKey,
  { now, differenceMs }: SigningTime = { now: new Date(), differenceMs: null },
): SignedEvidence {
  const evidence: Evidence = {
    type: TYPE,
    subject,
    check: { id: check.id, title: check.title },
    target: locationOf(target),
    beacon,
    baseline,
    probes,
    verdict,
    signed: now.toISOString(),
    ...(differenceMs !== null && { clock_difference_ms: differenceMs }),
  };
  const value = sign(null, Buffer.from(canonicalJson(evidence)), key.privateKey).toString('base64');
  return { evidence, signature: { algorithm: ALGORITHM, key: key.id, value } };
}

export type Authenticity =
  | { readonly authentic: true; readonly key: string; readonly evidence: SignedStatement }
  | { readonly authentic: false; readonly reason: string };

/** The signed part of the document, unchanged. */
export type SignedStatement = Readonly<Record<string, unknown>>;

const notAuthentic = (reason: string): Authenticity => ({ authentic: false, reason });

const UNSIGNED_FIELDS = ['uuid', 'status', 'result', 'reason'] as const;
const FIELDS: readonly string[] = [...UNSIGNED_FIELDS, 'evidence', 'signature'];
const SIGNATURE_FIELDS: readonly string[] = ['algorithm', 'key', 'value'];

const partOf = (evidence: SignedStatement, name: string): SignedStatement => {
  const part = evidence[name];
  return isRecord(part) ? part : {};
};

/** Removes control characters, because a document is untrusted and the message is printed on a terminal. */
const printable = (name: string): string => JSON.stringify(name.slice(0, 100).replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}'));

/** The name of a field outside the signature that readers may mistake for signed, or null. */
function unknownFieldIn(document: SignedStatement, signature: SignedStatement): string | null {
  const around = Object.keys(document).find((name) => !FIELDS.includes(name));
  if (around !== undefined)
    return `${printable(around)} is not a field of evidence. Its fields are ${FIELDS.join(', ')}.`;
  const within = Object.keys(signature).find((name) => !SIGNATURE_FIELDS.includes(name));
  return within === undefined
    ? null
    : `${printable(`signature.${within}`)} is not a field of evidence. The fields of its signature are ${SIGNATURE_FIELDS.join(', ')}.`;
}

/** The bytes of a signature, or null if it is not valid Base64, which `Buffer.from` alone would accept. */
function signatureBytes(value: string): Buffer | null {
  const bytes = Buffer.from(value, 'base64');
  return bytes.length === SIGNATURE_BYTES && bytes.toString('base64') === value ? bytes : null;
}

/** False for numbers that are too large for JSON, such as 1e999, which would be signed as null. */
const isCanonical = (evidence: SignedStatement): boolean =>
  isDeepStrictEqual(JSON.parse(canonicalJson(evidence)), evidence);

/** The name of an unsigned field that contradicts the signed evidence, or null. */
function contradictionIn(document: SignedStatement, evidence: SignedStatement): string | null {
  const { result, reason } = partOf(evidence, 'verdict');
  // Only finished retests are signed.
  const signed = { uuid: partOf(evidence, 'subject')['retest'], status: 'finished', result, reason };
  return UNSIGNED_FIELDS.find((name) => Object.hasOwn(document, name) && document[name] !== signed[name]) ?? null;
}

/** Verifies offline that one of these keys signed the document and that its unsigned fields do not contradict it. */
export function verifyEvidence(document: unknown, keys: readonly PublicKey[]): Authenticity {
  if (!isRecord(document)) return notAuthentic('The document is not signed evidence.');
  const { evidence, signature } = document;
  if (!isRecord(evidence) || !isRecord(signature)) return notAuthentic('The document is not signed evidence.');
  const { algorithm, key: id, value } = signature;
  if (evidence['type'] !== TYPE || algorithm !== ALGORITHM || typeof value !== 'string') {
    return notAuthentic('The type of the evidence or its signature algorithm is not supported.');
  }
  const unknown = unknownFieldIn(document, signature);
  if (unknown !== null) return notAuthentic(`It was altered: ${unknown}`);
  const bytes = signatureBytes(value);
  if (bytes === null)
    return notAuthentic(`It was altered: the value of its signature is not ${SIGNATURE_BYTES} bytes in Base64.`);
  const known = keys.find((key) => key.id === id);
  if (known === undefined) return notAuthentic('It is signed with a key that is not among the given keys.');
  const key = createPublicKey(known.pem);
  if (key.asymmetricKeyType !== 'ed25519') return notAuthentic('The given key with this id is not an Ed25519 key.');
  if (!isCanonical(evidence) || !verify(null, Buffer.from(canonicalJson(evidence)), key, bytes))
    return notAuthentic('The evidence was changed after it was signed, or was signed with another key.');
  const contradiction = contradictionIn(document, evidence);
  return contradiction === null
    ? { authentic: true, key: known.id, evidence }
    : notAuthentic(`It was altered: its "${contradiction}" differs from the signed value.`);
}
