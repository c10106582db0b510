import { generateKeyPairSync, sign } from 'node:crypto';
import { isEnvelope, preAuthenticationEncoding, verifyAttestation } from './attestation';
import { verifyEvidence } from './evidence';
import {
  digest,
  envelopeOf,
  evidence,
  idOf,
  image,
  keys,
  keysText,
  listed,
  privateKey,
  publicKey,
  statement,
} from './testing/signed-envelope';

const judge = (envelope: object, known = keys) => verifyAttestation(JSON.stringify(envelope), known);
const reasonOf = (envelope: object, known = keys): string => {
  const judged = judge(envelope, known);
  return judged.authentic ? 'authentic' : judged.reason;
};
const whole = envelopeOf(statement);
const [signature] = whole.signatures;

describe('an attestation', () => {
  it('is signed over the encoding of the specification, with lengths in bytes', () => {
    const encode = (type: string, body: string) => preAuthenticationEncoding(type, Buffer.from(body)).toString();
    expect(encode('http://example.com/HelloWorld', 'hello world')).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
    expect(encode('ä', 'ü€')).toBe('DSSEv1 2 ä 5 ü€');
  });

  it('is authentic with its key, and shows subject, evidence and what a caller stated', () => {
    const subject = { name: 'https://a.example/', uri: 'https://a.example/', sha256: digest };
    const key = idOf(publicKey);
    const type = 'urn:assay:retest-evidence:v1';
    expect(judge(whole)).toEqual({ authentic: true, key, type, evidence, subject, statedByCaller: null });
    const stated = { ...statement, predicate: { evidence, stated_by_caller: image } };
    expect(judge(envelopeOf(stated))).toMatchObject({ authentic: true, statedByCaller: image.image_digest });
  });

  it('may be in either alphabet of Base64, and in no other text', () => {
    const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');
    const payload = {
      ...statement,
      predicate: { evidence: { ...evidence, more: '???>>>ÿÿÿ' }, stated_by_caller: null },
    };
    const standard = envelopeOf(payload);
    const [{ keyid, sig } = { keyid: '', sig: '' }] = standard.signatures;
    expect(standard.payload).toMatch(/[+/]/);
    const other = { ...standard, payload: urlSafe(standard.payload), signatures: [{ keyid, sig: urlSafe(sig) }] };
    expect([judge(standard).authentic, judge(other).authentic]).toEqual([true, true]);
    expect(reasonOf({ ...whole, payload: `${whole.payload}!` })).toBe('The payload of the envelope is not Base64.');
    expect(reasonOf({ ...whole, payload: 7 })).toBe('The payload of the envelope is not Base64.');
    expect(reasonOf({ ...whole, signatures: [{ ...signature, sig: ` ${signature?.sig}` }] })).toBe(
      'The signature of the envelope is not Base64.',
    );
  });

  it('is refused where the payload, its type, the signature or the key was changed', () => {
    const changed = 'The envelope was changed after it was signed, or was signed with another key.';
    const verdict = { ...evidence, verdict: { result: 'still_vulnerable' } };
    const { payload } = envelopeOf({ ...statement, predicate: { evidence: verdict, stated_by_caller: null } });
    expect(reasonOf({ ...whole, payload })).toBe(changed);
    expect(reasonOf(envelopeOf(statement, { signedType: 'application/json' }))).toBe(changed);
    expect(reasonOf({ ...whole, payloadType: 'application/json' })).toBe(
      'The payload type of the envelope is not supported.',
    );
    expect(reasonOf(envelopeOf(statement, { type: 'application/json' }))).toBe(
      'The payload type of the envelope is not supported.',
    );
    expect(reasonOf({ ...whole, signatures: [{ ...signature, sig: Buffer.alloc(64).toString('base64') }] })).toBe(
      changed,
    );
    expect(reasonOf({ ...whole, signatures: [{ ...signature, sig: '' }] })).toBe(changed);
    const other = generateKeyPairSync('ed25519');
    expect(reasonOf(envelopeOf(statement, { signer: other.privateKey }))).toBe(changed);
    expect(reasonOf(whole, keysText(listed(other.publicKey)))).toBe(
      'It is signed with a key that is not among the given keys.',
    );
    // A signature over the payload alone, as without DSSE.
    const sig = sign(null, Buffer.from(whole.payload, 'base64'), privateKey).toString('base64');
    expect(reasonOf({ ...whole, signatures: [{ ...signature, sig }] })).toBe(changed);
  });

  it('needs a key whose id is its hash and that is of Ed25519', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(reasonOf(whole, keysText(listed(other, idOf(publicKey))))).toBe('A key does not match its id.');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const named = { ...whole, signatures: [{ ...signature, keyid: idOf(rsa) }] };
    expect(reasonOf(named, keysText(listed(rsa)))).toBe('The given key with this id is not an Ed25519 key.');
    expect(reasonOf({ ...whole, signatures: [{ ...signature, keyid: 7 }] })).toBe(
      'It is signed with a key that is not among the given keys.',
    );
  });

  it.each([
    ['no signature', { ...whole, signatures: [] }],
    ['two signatures', { ...whole, signatures: [signature, signature] }],
    ['a signature without a key id', { ...whole, signatures: [{ sig: signature?.sig }] }],
    ['a further field in the signature', { ...whole, signatures: [{ ...signature, cert: 'x' }] }],
    ['signatures that are no list', { ...whole, signatures: { 0: signature } }],
  ])('has exactly one signature, and not %s', (_what, envelope) => {
    expect(reasonOf(envelope)).toBe('The envelope does not have exactly one signature with keyid and sig.');
  });

  it.each([
    ['another type', { _type: 'https://in-toto.io/Statement/v0.1' }, 'The payload is not an in-toto Statement v1.'],
    [
      'a foreign predicate under our key',
      { predicateType: 'https://slsa.dev/provenance/v1' },
      'The predicate of the statement is not the evidence of a retest, and not the result of a job.',
    ],
    ['a further field', { more: 1 }, 'The payload is not an in-toto statement.'],
    [
      'a predicate with a further field',
      { predicate: { ...statement.predicate, more: 1 } },
      'The predicate of the statement does not have the fields of its type.',
    ],
    [
      'evidence of another type',
      { predicate: { evidence: { ...evidence, type: 'assay/history/1' }, stated_by_caller: null } },
      'The predicate of the statement has no evidence of a retest.',
    ],
    [
      'a result that no retest has',
      { predicate: { evidence: { ...evidence, verdict: { result: 'passed' } }, stated_by_caller: null } },
      'The predicate of the statement has no evidence of a retest.',
    ],
    [
      'a claim that is no digest',
      { predicate: { evidence, stated_by_caller: { image_digest: 'latest' } } },
      'The predicate has no valid digest that was stated by a caller.',
    ],
    [
      'a claim with a further field',
      { predicate: { evidence, stated_by_caller: { ...image, more: 1 } } },
      'The predicate has no valid digest that was stated by a caller.',
    ],
    ['two subjects', { subject: [statement.subject[0], statement.subject[0]] }, 'exactly one subject'],
    ['no subject', { subject: [] }, 'exactly one subject'],
    [
      'another name of the subject',
      { subject: [{ ...statement.subject[0], name: 'https://b.example/' }] },
      'not the target',
    ],
    [
      'another URL of the subject',
      { subject: [{ ...statement.subject[0], uri: 'https://b.example/' }] },
      'not the target',
    ],
    [
      'a digest that was not observed',
      { subject: [{ ...statement.subject[0], digest: { sha256: 'b'.repeat(64) } }] },
      'not the target',
    ],
    ['a subject without a digest', { subject: [{ ...statement.subject[0], digest: {} }] }, 'exactly one digest'],
    [
      'a subject with another digest as well',
      { subject: [{ ...statement.subject[0], digest: { sha256: digest, gitCommit: 'c'.repeat(40) } }] },
      'exactly one digest',
    ],
    [
      'a subject with a further field',
      { subject: [{ ...statement.subject[0], mediaType: 'x' }] },
      'exactly one subject',
    ],
  ])('is refused with %s, although our key signed it', (_what, changes, reason) => {
    expect(reasonOf(envelopeOf({ ...statement, ...changes }))).toContain(reason);
  });

  it('has no name twice, in the envelope and in the payload', () => {
    const text = JSON.stringify(whole);
    const twice = text.replace('"payloadType"', '"payloadType":"x","payloadType"');
    const reason = 'The document has a name twice in one object.';
    expect(verifyAttestation(twice, keys)).toEqual({ authentic: false, reason });
    const payload = JSON.stringify(statement).replace('"result"', '"result":"still_vulnerable","result"');
    expect(reasonOf(envelopeOf(payload))).toBe(reason);
  });

  it('is JSON in UTF-8', () => {
    const withBytes = JSON.stringify(statement).replace('grün', 'gr\u00fcn');
    expect(reasonOf(envelopeOf(Buffer.from(withBytes, 'latin1')))).toBe('The payload of the envelope is not UTF-8.');
    expect(reasonOf(envelopeOf(''))).toBe('The document is not JSON.');
    expect(reasonOf(envelopeOf(`\ufeff${JSON.stringify(statement)}`))).toBe('The document is not JSON.');
  });

  it('is never accepted as evidence of the own format, and the own format never as an attestation', () => {
    const sig = sign(null, Buffer.from('{}'), privateKey).toString('base64');
    const own = { evidence, signature: { algorithm: 'Ed25519', key: idOf(publicKey), value: sig } };
    expect([isEnvelope(JSON.stringify(whole)), isEnvelope(JSON.stringify(own)), isEnvelope('[')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(verifyEvidence(JSON.stringify(whole), keys)).toEqual({
      authentic: false,
      reason: 'The document is not signed evidence.',
    });
    const notEnvelope = 'The document is not a DSSE envelope with payload, payloadType and signatures only.';
    expect([reasonOf(own), reasonOf({ ...whole, ...own })]).toEqual([notEnvelope, notEnvelope]);
    // The signature of an envelope does not verify as one of the own format.
    const moved = { evidence, signature: { algorithm: 'Ed25519', key: idOf(publicKey), value: signature?.sig } };
    expect(verifyEvidence(JSON.stringify(moved), keys).authentic).toBe(false);
    expect(verifyEvidence(JSON.stringify({ ...moved, ...whole }), keys).authentic).toBe(false);
  });
});
