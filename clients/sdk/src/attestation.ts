import { type KeyObject, verify } from 'node:crypto';
import { EVIDENCE_TYPE, type Fields, hasOnly, isFields, keysIn, partOf, requireThat, RESULTS } from './evidence-parts';
import { ACCESS_RETEST, readAccessRetest } from './access-statements';
import { readTestResult, readVerificationResult, TEST_RESULT, VERIFICATION_RESULT } from './job-statements';
import { parseUnambiguousJson } from './unambiguous-json';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const RETEST_EVIDENCE = 'urn:assay:retest-evidence:v1';
const IMAGE_DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Weak: a URL and the digest of one response do not identify what was deployed. */
export interface AttestedSubject {
  readonly name: string;
  readonly uri: string;
  readonly sha256: string;
}

export type Attestation =
  | {
      readonly authentic: true;
      readonly key: string;
      /** The type of the predicate: a retest, the tests of a job, or a gate that has passed. */
      readonly type: string;
      /** The evidence of the retest, or the predicate about the job. */
      readonly evidence: Fields;
      readonly subject: AttestedSubject;
      /** The digest of an image that a caller stated. Nothing has verified it. */
      readonly statedByCaller: string | null;
    }
  | { readonly authentic: false; readonly reason: string };

/** The pre-authentication encoding of DSSE 1. Lengths count bytes. */
export const preAuthenticationEncoding = (type: string, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);

/** Whether a file claims to be a DSSE envelope. It says nothing about its signature. */
export function isEnvelope(text: string): boolean {
  try {
    const document: unknown = JSON.parse(text);
    return isFields(document) && Object.hasOwn(document, 'payloadType');
  } catch {
    return false;
  }
}

/**
 * Verifies the texts of `GET /v1/findings/{id}/retest/evidence?format=dsse` or `GET /v1/jobs/{uuid}/evidence`, and
 * `GET /v1/evidence-keys`, without a network. It accepts in-toto statements with the predicates of these only, and no other
 * statement or format with a signature of the key.
 */
export function verifyAttestation(envelopeText: string, keysText: string): Attestation {
  try {
    const { key, body } = verifiedBody(parseUnambiguousJson(envelopeText), keysIn(parseUnambiguousJson(keysText)));
    return { authentic: true, key, ...readStatement(parseUnambiguousJson(textOf(body))) };
  } catch (error) {
    return { authentic: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function verifiedBody(document: unknown, keys: ReadonlyMap<string, KeyObject>): { key: string; body: Buffer } {
  requireThat(
    isFields(document) && hasOnly(document, ['payload', 'payloadType', 'signatures']),
    'The document is not a DSSE envelope with payload, payloadType and signatures only.',
  );
  const { payload, payloadType, signatures } = document;
  requireThat(payloadType === PAYLOAD_TYPE, 'The payload type of the envelope is not supported.');
  const [signature, ...others]: unknown[] = Array.isArray(signatures) ? signatures : [];
  requireThat(
    others.length === 0 && isFields(signature) && hasOnly(signature, ['keyid', 'sig']),
    'The envelope does not have exactly one signature with keyid and sig.',
  );
  const { keyid, sig } = signature;
  const key = typeof keyid === 'string' ? keys.get(keyid) : undefined;
  requireThat(
    typeof keyid === 'string' && key !== undefined,
    'It is signed with a key that is not among the given keys.',
  );
  requireThat(key.asymmetricKeyType === 'ed25519', 'The given key with this id is not an Ed25519 key.');
  const body = bytesOf(payload, 'The payload');
  requireThat(
    verify(null, preAuthenticationEncoding(payloadType, body), key, bytesOf(sig, 'The signature')),
    'The envelope was changed after it was signed, or was signed with another key.',
  );
  return { key: keyid, body };
}

/** DSSE allows both alphabets of Base64. `Buffer.from` alone would skip what belongs to neither. */
function bytesOf(value: unknown, what: string): Buffer {
  const text = typeof value === 'string' ? value : '?';
  const bytes = Buffer.from(text, 'base64');
  const isExact = [bytes.toString('base64'), bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')];
  requireThat(isExact.includes(text), `${what} of the envelope is not Base64.`);
  return bytes;
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new Error('The payload of the envelope is not UTF-8.');
  }
}

interface Statement {
  readonly type: string;
  readonly evidence: Fields;
  readonly subject: AttestedSubject;
  readonly statedByCaller: string | null;
}

type Read = (predicate: Fields, subject: AttestedSubject) => void;

/** The predicates that the service signs. A signature of its key under any other is refused. */
const PREDICATES: ReadonlyMap<unknown, Read> = new Map([
  [RETEST_EVIDENCE, readRetest],
  [ACCESS_RETEST, readAccessRetest],
  [TEST_RESULT, readTestResult],
  [VERIFICATION_RESULT, readVerificationResult],
]);

function readStatement(statement: unknown): Statement {
  requireThat(
    isFields(statement) && hasOnly(statement, ['_type', 'subject', 'predicateType', 'predicate']),
    'The payload is not an in-toto statement.',
  );
  const { _type: statementType, subject: subjects, predicateType, predicate } = statement;
  requireThat(statementType === STATEMENT_TYPE, 'The payload is not an in-toto Statement v1.');
  const read = PREDICATES.get(predicateType);
  requireThat(
    read !== undefined && isFields(predicate),
    'The predicate of the statement is not the evidence of a retest, and not the result of a job.',
  );
  const subject = subjectIn(subjects);
  read(predicate, subject);
  const { evidence = predicate, stated_by_caller: stated } = predicate;
  return { type: String(predicateType), evidence: evidence as Fields, subject, statedByCaller: imageIn(stated) };
}

function subjectIn(subjects: unknown): AttestedSubject {
  const [subject, ...others]: unknown[] = Array.isArray(subjects) ? subjects : [];
  requireThat(
    others.length === 0 && isFields(subject) && hasOnly(subject, ['name', 'uri', 'digest']),
    'The statement does not have exactly one subject with name, uri and digest.',
  );
  const { name, uri } = subject;
  const digest = partOf(subject, 'digest');
  const { sha256 } = digest;
  requireThat(hasOnly(digest, ['sha256']), 'The subject of the statement does not have exactly one digest of SHA-256.');
  requireThat(
    typeof name === 'string' && typeof uri === 'string' && typeof sha256 === 'string',
    'The subject of the statement has a name, URI or digest that is no text.',
  );
  return { name, uri, sha256 };
}

function readRetest(predicate: Fields, { name, uri, sha256 }: AttestedSubject): void {
  const { evidence } = predicate;
  requireThat(
    hasOnly(predicate, ['evidence', 'stated_by_caller']),
    'The predicate of the statement does not have the fields of its type.',
  );
  requireThat(
    isFields(evidence) && evidence['type'] === EVIDENCE_TYPE && RESULTS.has(partOf(evidence, 'verdict')['result']),
    'The predicate of the statement has no evidence of a retest.',
  );
  requireThat(
    name === evidence['target'] && wasObserved(evidence, uri, sha256),
    'The subject of the statement is not the target and a response of the evidence.',
  );
}

/** Whether a probe of the evidence received a response with this digest from this URL. */
function wasObserved({ probes }: Fields, uri: unknown, sha256: unknown): boolean {
  const exchanges = (Array.isArray(probes) ? probes : []).flatMap((probe: unknown): unknown =>
    isFields(probe) ? probe['exchanges'] : [],
  );
  const isSame = (one: unknown) => isFields(one) && one['to'] === uri && one['sha256'] === sha256;
  return typeof uri === 'string' && typeof sha256 === 'string' && exchanges.some(isSame);
}

function imageIn(stated: unknown): string | null {
  if (stated === null) return null;
  const { image_digest: digest } = isFields(stated) && hasOnly(stated, ['image_digest']) ? stated : {};
  requireThat(
    typeof digest === 'string' && IMAGE_DIGEST.test(digest),
    'The predicate has no valid digest that was stated by a caller.',
  );
  return digest;
}
