import { createHash } from 'node:crypto';
import { verifyAttestation } from './attestation';
import { canonicalJson } from './evidence-parts';
import { envelopeOf, image, keys } from './testing/signed-envelope';

const observed = {
  type: 'assay/job-result/1',
  job: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77',
  url: 'https://a.example/',
  depth: 'standard',
  checks: ['exposed-git'],
  started: '2026-01-31T12:00:00.000Z',
  finished: '2026-01-31T12:00:05.000Z',
  tests: [
    { check: 'exposed-git', place: 'https://a.example/.git/HEAD', result: 'not_found' },
    { check: 'exposed-env', place: 'https://a.example/.env', result: 'blocked' },
  ],
};
const digestOf = (value: object): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
const subjectOf = (value: { readonly url: string }) => ({
  name: value.url,
  uri: value.url,
  digest: { sha256: digestOf(value) },
});

const tests = {
  result: 'WARNED',
  configuration: [{ name: 'exposed-git', uri: 'urn:assay:check:exposed-git' }],
  passedTests: ['exposed-git https://a.example/.git/HEAD'],
  warnedTests: ['exposed-env https://a.example/.env'],
  failedTests: [] as string[],
  observed,
  stated_by_caller: null as object | null,
};
const gate = {
  verifier: { id: 'urn:assay:gate:v1', policies: [{ name: 'gate', uri: 'urn:assay:gate:v1?severity=medium' }] },
  timeCreated: '2026-01-31T12:00:06.000Z',
  properties: ['ASSAY_GATE_PASSED'],
  accepted: [{ check: 'exposed-env', asset: 'a.example', label: null, until: '2026-02-28T00:00:00.000Z' }],
  observed,
  stated_by_caller: null as object | null,
};
const TESTS = 'https://in-toto.io/attestation/test-result/v0.1';
const GATE = 'https://in-toto.io/attestation/svr/v0.2';

const verified = (predicateType: string, predicate: object, subject: object = subjectOf(observed)) =>
  verifyAttestation(
    JSON.stringify(
      envelopeOf({ _type: 'https://in-toto.io/Statement/v1', subject: [subject], predicateType, predicate }),
    ),
    keys,
  );

describe('a statement about a job', () => {
  it('is authentic with its type, the URL and the digest of its result, and what a caller stated', () => {
    const subject = { name: observed.url, uri: observed.url, sha256: digestOf(observed) };
    expect(verified(TESTS, tests)).toMatchObject({ authentic: true, type: TESTS, subject, statedByCaller: null });
    const stated = verified(GATE, { ...gate, stated_by_caller: image });
    expect(stated).toMatchObject({ authentic: true, type: GATE, subject, statedByCaller: image.image_digest });
  });

  const untested = { ...observed, tests: [] };
  const found = { ...observed, tests: [{ ...observed.tests[0], result: 'found' }] };
  it.each<[what: string, type: string, predicate: object, subject: object | undefined, reason: string]>([
    ['a gate under the type of tests', TESTS, gate, undefined, 'fields of its type'],
    ['tests under the type of a gate', GATE, tests, undefined, 'fields of its type'],
    [
      'a type that the key has never signed',
      'https://slsa.dev/verification_summary/v1',
      gate,
      undefined,
      'is not the evidence',
    ],
    ['an older version of a type', 'https://in-toto.io/attestation/svr/v0.1', gate, undefined, 'is not the evidence'],
    [
      'tests that passed, with a result that says so against them',
      TESTS,
      { ...tests, result: 'PASSED' },
      undefined,
      'not that of its tests',
    ],
    [
      'a failed test that is missing in its list',
      TESTS,
      { ...tests, observed: found },
      subjectOf(found),
      'are not those of the result',
    ],
    [
      'a result that is not the one of the subject',
      TESTS,
      { ...tests, observed: found },
      undefined,
      'The subject of the statement',
    ],
    [
      'another URL',
      TESTS,
      tests,
      { ...subjectOf(observed), name: 'https://b.example/' },
      'The subject of the statement',
    ],
    [
      'the digest of something else',
      GATE,
      gate,
      { ...subjectOf(observed), digest: { sha256: 'a'.repeat(64) } },
      'The subject of the statement',
    ],
    [
      'a gate of another verifier',
      GATE,
      { ...gate, verifier: { ...gate.verifier, id: 'urn:other' } },
      undefined,
      'verifier',
    ],
    ['a gate without a policy', GATE, { ...gate, verifier: { ...gate.verifier, policies: [] } }, undefined, 'verifier'],
    ['a gate with another property', GATE, { ...gate, properties: ['ASSAY_GATE_FAILED'] }, undefined, 'does not say'],
    ['no test', GATE, { ...gate, observed: untested }, subjectOf(untested), 'has no test'],
    [
      'no test that passed',
      TESTS,
      { ...tests, result: 'PASSED', passedTests: [], warnedTests: [], observed: untested },
      subjectOf(untested),
      'has no test',
    ],
    ['no list of what was accepted', GATE, { ...gate, accepted: null }, undefined, 'what was accepted'],
    [
      'something accepted without an end',
      GATE,
      { ...gate, accepted: [{ check: 'a' }] },
      undefined,
      'what was accepted',
    ],
    ['a further field', GATE, { ...gate, more: 1 }, undefined, 'fields of its type'],
    [
      'an image that is no digest',
      TESTS,
      { ...tests, stated_by_caller: { image_digest: 'latest' } },
      undefined,
      'no valid digest',
    ],
    [
      'a result of an unknown form',
      GATE,
      { ...gate, observed: { ...observed, type: 'x' } },
      undefined,
      'no result of a job',
    ],
  ])('is refused with %s', (_what, type, predicate, subject, reason) => {
    expect(verified(type, predicate, subject)).toEqual({ authentic: false, reason: expect.stringContaining(reason) });
  });
});
