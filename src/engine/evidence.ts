import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Assessment } from './assess';
import type { Check } from './check';
import type { Baseline } from './baseline';
import { locationOf, type Target } from './target';
import type { Verdict, Verification } from './verdict';

const TYPE = 'assay/retest-evidence/1';
const ALGORITHM = 'Ed25519';

export interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
}

export interface PublicKey {
  readonly id: string;
  /** SubjectPublicKeyInfo as PEM. */
  readonly pem: string;
}

/** What was retested, and what it came to: everything that somebody needs who was not there. */
export interface Evidence {
  readonly type: typeof TYPE;
  /** Which retest of which finding, in the words of whoever asked for it. */
  readonly subject: Readonly<Record<string, string | number | null>>;
  readonly check: { readonly id: string; readonly title: string };
  readonly target: string;
  /** What the controls were compared with. */
  readonly baseline: Baseline | null;
  readonly probes: readonly Assessment[];
  readonly verdict: Verdict;
  readonly signed: string;
}

export interface SignedEvidence {
  readonly evidence: Evidence;
  readonly signature: { readonly algorithm: typeof ALGORITHM; readonly key: string; readonly value: string };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One spelling for one value (RFC 8785): keys in order, no spaces, so that a signature survives every parser. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

/** The id of a key is made from the key: nobody has to hand it out, and it cannot be given to another. */
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
  { probes, verdict }: Verification,
  key: SigningKey,
): SignedEvidence {
  const evidence: Evidence = {
    type: TYPE,
    subject,
    check: { id: check.id, title: check.title },
    target: locationOf(target),
    baseline,
    probes,
    verdict,
    signed: new Date().toISOString(),
  };
  const value = sign(null, Buffer.from(canonicalJson(evidence)), key.privateKey).toString('base64');
  return { evidence, signature: { algorithm: ALGORITHM, key: key.id, value } };
}

export type Authenticity =
  | { readonly authentic: true; readonly key: string; readonly evidence: SignedStatement }
  | { readonly authentic: false; readonly reason: string };

/** What the signature vouches for, as it stands in the document. */
export type SignedStatement = Readonly<Record<string, unknown>>;

const not = (reason: string): Authenticity => ({ authentic: false, reason });

const partOf = (evidence: SignedStatement, name: string): SignedStatement => {
  const part = evidence[name];
  return isRecord(part) ? part : {};
};

/** What the signed part knows of what stands around it, in the words of the API. Only what is finished is signed. */
function knownOf(evidence: SignedStatement): SignedStatement {
  const subject = partOf(evidence, 'subject');
  return { ...evidence, ...subject, ...partOf(evidence, 'verdict'), uuid: subject['retest'], status: 'finished' };
}

/** The name of what stands outside of the signature and says something else than what is signed; or null. */
function contradictionIn(around: SignedStatement, evidence: SignedStatement): string | null {
  const known = knownOf(evidence);
  const differs = (name: string): boolean =>
    Object.hasOwn(known, name) &&
    known[name] !== undefined &&
    canonicalJson(around[name]) !== canonicalJson(known[name]);
  return Object.keys(around).find(differs) ?? null;
}

/** Whether a document is evidence that one of these keys signed, unchanged, and says nothing else around it. Needs nothing but the two. */
export function verifyEvidence(document: unknown, keys: readonly PublicKey[]): Authenticity {
  const { evidence, signature, ...around } = isRecord(document) ? document : {};
  if (!isRecord(evidence) || !isRecord(signature)) return not('It is no signed evidence.');
  const { algorithm, key: id, value } = signature;
  if (evidence['type'] !== TYPE || algorithm !== ALGORITHM || typeof value !== 'string') {
    return not('It is no evidence of a kind that is known here.');
  }
  const known = keys.find((key) => key.id === id);
  if (known === undefined) return not('It is signed with a key that is not among those given.');
  const key = createPublicKey(known.pem);
  if (key.asymmetricKeyType !== 'ed25519') return not('The key of that name is not of the right kind.');
  const genuine = verify(null, Buffer.from(canonicalJson(evidence)), key, Buffer.from(value, 'base64'));
  if (!genuine) return not('It was changed after it was signed, or signed by somebody else.');
  const contradiction = contradictionIn(around, evidence);
  return contradiction === null
    ? { authentic: true, key: known.id, evidence }
    : not(`It was altered: its "${contradiction}" is not what is signed.`);
}
