import { verifyAttestation } from './attestation';
import { digest, envelopeOf, keys } from './testing/signed-envelope';

const evidence = {
  type: 'assay/access-retest/1',
  subject: { retest: 'r', finding: 7, organization: 5 },
  check: { id: 'object-access', title: 'IDOR' },
  target: 'https://a.example',
  turns: [{ started: '2026-01-31T12:00:00.000Z', result: 'not_vulnerable', requests: 5 }],
  signed: '2026-01-31T12:00:00.000Z',
  verdict: { result: 'fixed' },
};
const subject = { name: 'https://a.example', uri: 'https://a.example', digest: { sha256: digest } };
const signedWith = (changes: object, of: object = subject, more: object = {}) =>
  verifyAttestation(
    JSON.stringify(
      envelopeOf({
        _type: 'https://in-toto.io/Statement/v1',
        subject: [of],
        predicateType: 'urn:assay:access-retest:v1',
        predicate: { evidence: { ...evidence, ...changes }, stated_by_caller: null, ...more },
      }),
    ),
    keys,
  );

describe('a statement about a retest with two accounts', () => {
  it('is authentic in its form', () => {
    expect(signedWith({})).toMatchObject({ authentic: true, type: 'urn:assay:access-retest:v1', evidence });
  });

  it.each([
    ['a further field', { reason: 'as ada' }, subject, 'fields of its type'],
    ['another type', { type: 'assay/retest-evidence/1' }, subject, 'no result'],
    ['a result that no retest has', { verdict: { result: 'passed' } }, subject, 'no result'],
    ['a reason, which names accounts', { verdict: { result: 'fixed', reason: 'as ada' } }, subject, 'no result'],
    ['no turn', { turns: [] }, subject, 'turns of an unknown form'],
    [
      'a turn with a path',
      { turns: [{ ...evidence.turns[0], path: '/orders/7' }] },
      subject,
      'turns of an unknown form',
    ],
    ['a path of the target', { target: 'https://a.example/orders/7' }, subject, 'origin of the target'],
    ['another subject', {}, { ...subject, name: 'https://b.example' }, 'origin of the target'],
    ['another address of the subject', {}, { ...subject, uri: 'https://b.example' }, 'origin of the target'],
    ['a digest of another form', {}, { ...subject, digest: { sha256: 'x' } }, 'digest of the evidence'],
  ])('is refused with %s, although our key signed it', (_what, changes, of, reason) => {
    expect(signedWith(changes, of)).toEqual({ authentic: false, reason: expect.stringContaining(reason) });
  });

  it('is refused with a further field of the predicate', () => {
    expect(signedWith({}, subject, { more: 1 })).toMatchObject({ authentic: false });
  });
});
