import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { attestEvidence, preAuthenticationEncoding } from './attestation';
import type { Baseline } from './baseline';
import { checkById } from './checks';
import { canonicalJson, keyIdOf, signEvidence, type SignedEvidence } from './evidence';
import type { Verification } from './verdict';

const { privateKey } = generateKeyPairSync('ed25519');
const key = { id: keyIdOf(privateKey), privateKey };

const exchange = (to: string, sha256: string | null) => ({ kind: 'http', to, sha256, sent: '', received: '' });
const probe = (kind: string, ...exchanges: object[]) => ({ kind, started: '', exchanges });
const target = { scheme: 'https', host: 'a.example', port: 443, path: '/' } as const;

function signed(probes: object[], baseline: Baseline | null = null): SignedEvidence {
  const check = checkById('exposed-git');
  if (check === null) throw new Error('no such check');
  const verification = { probes, verdict: { result: 'fixed', reason: 'not there' } } as unknown as Verification;
  return signEvidence({ retest: 'r', finding: 7 }, check, target, baseline, verification, null, key);
}

const observed = [
  probe('control', exchange('https://a.example/other', 'c'.repeat(64))),
  probe(
    'probe',
    exchange('https://a.example/', 'a'.repeat(64)),
    exchange('https://a.example/.git/HEAD', 'b'.repeat(64)),
  ),
];

function statementIn(evidence: SignedEvidence) {
  const attested = attestEvidence(evidence, null, key);
  if (!('envelope' in attested)) throw new Error(attested.refused);
  return JSON.parse(Buffer.from(attested.envelope.payload, 'base64').toString()) as Record<string, unknown>;
}

/** The vector of https://github.com/secure-systems-lab/dsse/blob/master/protocol.md. */
const VECTOR = {
  type: 'http://example.com/HelloWorld',
  body: 'hello world',
  encoded: 'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
  x: 46950820868899156662930047687818585632848591499744589407958293238635476079160n,
  y: 5640078356564379163099075877009565129882514886557779369047442380624545832820n,
  sig: 'A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==',
};
const coordinate = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toString('base64url');

describe('an attestation', () => {
  it('encodes type and body as the specification of DSSE does, and verifies its example', () => {
    const encoded = preAuthenticationEncoding(VECTOR.type, Buffer.from(VECTOR.body));
    expect(encoded.toString()).toBe(VECTOR.encoded);
    const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(VECTOR.x), y: coordinate(VECTOR.y) };
    const known = {
      key: createPublicKey({ key: jwk, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363' as const,
    };
    expect(verify('sha256', encoded, known, Buffer.from(VECTOR.sig, 'base64'))).toBe(true);
    expect(verify('sha256', Buffer.from(VECTOR.body), known, Buffer.from(VECTOR.sig, 'base64'))).toBe(false);
  });

  it('counts bytes and not characters in the lengths of type and body', () => {
    expect(preAuthenticationEncoding('ä', Buffer.from('ü€')).toString()).toBe('DSSEv1 2 ä 5 ü€');
    expect(preAuthenticationEncoding('', Buffer.alloc(0)).toString()).toBe('DSSEv1 0  0 ');
  });

  it('has the evidence as predicate, and a signature over the encoded type and payload', () => {
    const evidence = signed(observed);
    const image = { image_digest: `sha256:${'0'.repeat(64)}` };
    const attested = attestEvidence(evidence, image, key);
    if (!('envelope' in attested)) throw new Error(attested.refused);
    const { payload, payloadType, signatures } = attested.envelope;
    expect([payloadType, signatures.length, signatures[0].keyid]).toEqual(['application/vnd.in-toto+json', 1, key.id]);
    const body = Buffer.from(payload, 'base64');
    const encoded = Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${body.length} `), body]);
    expect(verify(null, encoded, createPublicKey(privateKey), Buffer.from(signatures[0].sig, 'base64'))).toBe(true);
    expect(JSON.parse(body.toString())).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'https://a.example/', uri: 'https://a.example/', digest: { sha256: 'a'.repeat(64) } }],
      predicateType: 'urn:assay:retest-evidence:v1',
      predicate: { evidence: evidence.evidence, stated_by_caller: image },
    });
  });

  it('names the last response of a probe where the target itself was not requested, and never one of a control', () => {
    const [control] = observed;
    const git = probe(
      'probe',
      exchange('https://a.example/.git/HEAD', 'b'.repeat(64)),
      exchange('https://a.example/', null),
    );
    expect(statementIn(signed([git, control ?? {}]))).toMatchObject({
      subject: [{ name: 'https://a.example/', uri: 'https://a.example/.git/HEAD', digest: { sha256: 'b'.repeat(64) } }],
    });
  });

  it('says of two accounts no path, value, name or reason, and names the digest of the evidence', () => {
    const access = { on: 'access', access: { owner: { name: 'ada' } } } as unknown as Baseline;
    const turn = probe('probe', {
      ...exchange('https://a.example/orders/7', null),
      received: '200, with "ada@b.example"',
    });
    const found = { ...turn, started: 'then', observation: { state: 'vulnerable', detail: 'as ada' } };
    const evidence = signed([found], access);
    const sha256 = createHash('sha256').update(canonicalJson(evidence.evidence)).digest('hex');
    expect(statementIn(evidence)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'https://a.example', uri: 'https://a.example', digest: { sha256 } }],
      predicateType: 'urn:assay:access-retest:v1',
      predicate: {
        evidence: {
          type: 'assay/access-retest/1',
          subject: { retest: 'r', finding: 7 },
          check: { id: 'exposed-git', title: evidence.evidence.check.title },
          target: 'https://a.example',
          turns: [{ started: 'then', result: 'vulnerable', requests: 1 }],
          signed: evidence.evidence.signed,
          verdict: { result: 'fixed' },
        },
        stated_by_caller: null,
      },
    });
    expect(attestEvidence(signed([], access), null, key)).toEqual({ refused: 'nothing_observed' });
  });

  it('is refused without a response, for another key, and for evidence that was changed since', () => {
    const evidence = signed(observed);
    expect(attestEvidence(signed([probe('probe', exchange('https://a.example/', null))]), null, key)).toEqual({
      refused: 'nothing_observed',
    });
    expect(attestEvidence(evidence, null, { ...key, id: '0'.repeat(16) })).toEqual({ refused: 'other_key' });
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(attestEvidence(evidence, null, { id: key.id, privateKey: other })).toEqual({ refused: 'not_authentic' });
    const verdict = { ...evidence.evidence.verdict, result: 'still_vulnerable' } as const;
    const changed = { ...evidence, evidence: { ...evidence.evidence, verdict } };
    expect(attestEvidence(changed, null, key)).toEqual({ refused: 'not_authentic' });
  });
});
