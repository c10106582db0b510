import { createHash, createPublicKey, sign } from 'node:crypto';
import { canonicalJson, type Evidence, type SignedEvidence, type SigningKey, verifyEvidence } from './evidence';

/** The media type of a DSSE envelope as JSON. */
export const ENVELOPE_TYPE = 'application/vnd.dsse.envelope.v1+json';
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** Its schema is docs/retest-evidence.v1.schema.json. */
const RETEST_EVIDENCE = 'urn:assay:retest-evidence:v1';
/** Its schema is docs/access-retest.v1.schema.json. */
const ACCESS_RETEST = 'urn:assay:access-retest:v1';

/** Claims of the caller, which no test has confirmed. */
export interface StatedByCaller {
  readonly image_digest: string;
}

export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

/** Signs a statement about one subject as an in-toto Statement v1 in a DSSE envelope. */
export function signStatement(subject: object, predicateType: string, predicate: object, key: SigningKey): Envelope {
  const statement = { _type: STATEMENT_TYPE, subject: [subject], predicateType, predicate };
  const body = Buffer.from(canonicalJson(statement));
  const sig = sign(null, preAuthenticationEncoding(PAYLOAD_TYPE, body), key.privateKey).toString('base64');
  return { payload: body.toString('base64'), payloadType: PAYLOAD_TYPE, signatures: [{ keyid: key.id, sig }] };
}

/** The pre-authentication encoding of DSSE 1: what is signed. Lengths count bytes. */
export const preAuthenticationEncoding = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);

/** Weak: the digest of one response does not identify what was deployed. Prefers the response of the target itself. */
function subjectOf({ target, probes }: Evidence): object | null {
  const exchanges = probes.filter(({ kind }) => kind === 'probe').flatMap((probe) => probe.exchanges);
  const observed = exchanges.filter(({ sha256 }) => sha256 !== null);
  const page = observed.findLast(({ to }) => to === target) ?? observed.at(-1);
  return page === undefined ? null : { name: target, uri: page.to, digest: { sha256: page.sha256 } };
}

/**
 * What a comparison of two accounts showed, without what belongs to people: no paths, values, names of accounts or reasons, which
 * name both. The subject has the digest of the evidence itself, because no digest of a private page is kept.
 */
function attestAccess(evidence: Evidence, stated: StatedByCaller | null, key: SigningKey): Envelope {
  const { subject, check, verdict, signed } = evidence;
  const { origin } = new URL(evidence.target);
  const turns = evidence.probes.map(({ started, observation, exchanges }) => ({
    started,
    result: observation.state,
    requests: exchanges.length,
  }));
  const shown = { type: 'assay/access-retest/1', subject, check, target: origin, turns, signed };
  const sha256 = createHash('sha256').update(canonicalJson(evidence)).digest('hex');
  const predicate = { evidence: { ...shown, verdict: { result: verdict.result } }, stated_by_caller: stated };
  return signStatement({ name: origin, uri: origin, digest: { sha256 } }, ACCESS_RETEST, predicate, key);
}

export type Attested =
  { readonly envelope: Envelope } | { readonly refused: 'other_key' | 'not_authentic' | 'nothing_observed' };

/** Signs stored evidence again, as an in-toto statement. It must still have the signature of the same key. */
export function attestEvidence(signed: SignedEvidence, stated: StatedByCaller | null, key: SigningKey): Attested {
  if (signed.signature.key !== key.id) return { refused: 'other_key' };
  const pem = createPublicKey(key.privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const { evidence, signature } = signed;
  if (!verifyEvidence({ evidence, signature }, [{ id: key.id, pem }]).authentic) return { refused: 'not_authentic' };
  if (evidence.baseline?.on === 'access' && evidence.probes.length > 0)
    return { envelope: attestAccess(evidence, stated, key) };
  const subject = subjectOf(evidence);
  if (subject === null) return { refused: 'nothing_observed' };
  return { envelope: signStatement(subject, RETEST_EVIDENCE, { evidence, stated_by_caller: stated }, key) };
}
