import * as fc from 'fast-check';
import type { AcceptedCheckOfAsset } from '../../assets';
import { isAtLeast, SEVERITIES } from '../../../kernel/severity';
import { JOB_STATUSES } from './job-status';
import { requireSuccess, type EarlierFinding, gateOf, jobSuccess, type SeenFinding, withHint } from './job-success';

const PLACE = { place: 'https://www.example.com/', check: 'exposed-git' } as const;
const SEEN: SeenFinding = { id: 1, title: 'Open .git', severity: 'high', ...PLACE, setAside: false, accepted: null };
const EARLIER: EarlierFinding = {
  id: 2,
  title: 'Weak TLS',
  severity: 'medium',
  ...PLACE,
  unconfirmed: true,
  isProved: true,
  confirmedFixed: false,
  reason: 'the page is another one',
  undecided: { result: 'inconclusive', refusal: null },
  accepted: null,
};
const ACCEPTED: AcceptedCheckOfAsset = {
  assetId: 42,
  beaconId: null,
  acceptedFor: null,
  assetType: 'url',
  assetValue: 'http://staging.example.com/',
  checkId: 'no-https-redirect',
  reason: 'Only in the office network.',
  until: new Date('2027-01-31T23:59:59.999Z'),
  acceptedBy: 'admin@example.com',
};

describe('jobSuccess', () => {
  it.each(['PENDING', 'IN_PROGRESS'] as const)('is not known while the job is %s', (status) => {
    expect(jobSuccess(status, [SEEN], [])).toEqual({
      success: null,
      description: `The job is ${status}: ask again.`,
      accepted: [],
      failing: [],
      further: 0,
      untested: 0,
      incomplete: [],
      refused: [],
      allowed: [],
      undecided: [],
    });
  });

  it.each(['ERROR', 'CANCELED'] as const)('is false when the job ended in %s, whatever the job found', (status) => {
    expect(jobSuccess(status, [], [])).toMatchObject({
      success: false,
      description: `The job ended in ${status}: what it has not tested is unknown, and what it had found is kept.`,
      accepted: [],
    });
  });

  it('is true when there is no open finding', () => {
    expect(jobSuccess('FINISHED', [], [])).toMatchObject({
      success: true,
      description: 'No open finding of at least medium severity.',
      accepted: [],
    });
  });

  it.each<[string, Partial<SeenFinding>, boolean]>([
    ['at the threshold', { severity: 'medium' }, false],
    ['below the threshold', { severity: 'low' }, true],
    ['set aside', { setAside: true }, true],
  ])('counts a finding of this job that is %s', (_, finding, success) => {
    expect(jobSuccess('FINISHED', [{ ...SEEN, ...finding }], []).success).toBe(success);
  });

  it.each<[string, Partial<EarlierFinding>, boolean]>([
    ['open and not confirmed as fixed by this job', {}, false],
    ['confirmed as fixed by this job', { confirmedFixed: true }, true],
    ['resolved and confirmed before', { unconfirmed: false }, true],
    ['below the threshold', { severity: 'low' }, true],
  ])('counts an earlier finding that is %s', (_, finding, success) => {
    expect(jobSuccess('FINISHED', [], [{ ...EARLIER, ...finding }]).success).toBe(success);
  });

  it('names the findings that fail the pipeline', () => {
    expect(jobSuccess('FINISHED', [SEEN, SEEN, SEEN, SEEN, SEEN], [EARLIER], 'low').description).toBe(
      'Findings of at least low severity: 5 found by this job ("Open .git", "Open .git", "Open .git", 2 more); ' +
        '1 found earlier and not confirmed as fixed ("Weak TLS": the page is another one).',
    );
  });

  it('names what is proved first and claims in one part, and fails because of either', () => {
    const claim = { ...EARLIER, id: 3, title: 'A claim', severity: 'critical', isProved: false } as const;
    const { description, failing, success } = jobSuccess('FINISHED', [], [claim, EARLIER, claim], 'low', null, {
      claims: 1_000,
      known: 0,
    });
    expect(description).toBe(
      'Findings of at least low severity: 1 found earlier and not confirmed as fixed ("Weak TLS": the page is another one); ' +
        '1002 claimed earlier and not confirmed as fixed ("A claim": the page is another one, "A claim": the page is another one, 1000 more).',
    );
    expect([success, failing.map(({ id }) => id)]).toEqual([false, [2, 3, 3]]);
    expect(jobSuccess('FINISHED', [], [claim]).success).toBe(false);
  });

  it('fails and is incomplete because of known findings that it has not listed', () => {
    const outcome = jobSuccess('FINISHED', [], [], 'high', null, { claims: 0, known: 7 });
    expect(outcome.description).toBe('Findings of at least high severity: 7 further known findings were not tested.');
    expect([outcome.success, outcome.untested, gateOf(outcome)]).toEqual([false, 7, 'incomplete']);
  });

  const accepted = { accepted: ACCEPTED };
  const named =
    'Findings of accepted checks do not count: no-https-redirect on http://staging.example.com/ until 2027-01-31 ' +
    'by admin@example.com ("Only in the office network.").';

  it('names an accepted check once when it changes what counts, also if another finding fails the pipeline', () => {
    const found = { ...SEEN, ...accepted };
    expect(jobSuccess('FINISHED', [found, found], [{ ...EARLIER, ...accepted }])).toEqual({
      success: true,
      description: `No other open finding of at least medium severity. ${named}`,
      accepted: [ACCEPTED],
      failing: [],
      further: 0,
      untested: 0,
      incomplete: [],
      refused: [],
      allowed: [],
      undecided: [],
    });
    expect(jobSuccess('FINISHED', [found], [EARLIER])).toEqual({
      success: false,
      description: `Findings of at least medium severity: 1 found earlier and not confirmed as fixed ("Weak TLS": the page is another one). ${named}`,
      accepted: [ACCEPTED],
      failing: [EARLIER],
      further: 0,
      untested: 0,
      incomplete: [],
      refused: [],
      allowed: [],
      undecided: [
        {
          result: 'inconclusive',
          reason: 'the page is another one',
          refusal: null,
          check: 'exposed-git',
          findingId: 2,
        },
      ],
    });
  });

  it.each<[string, Partial<SeenFinding>, Partial<EarlierFinding>]>([
    ['below the threshold', { severity: 'low' }, { severity: 'low' }],
    ['set aside or confirmed as fixed', { setAside: true }, { confirmedFixed: true }],
    ['set aside or resolved before', { setAside: true }, { unconfirmed: false }],
  ])('does not name an accepted check whose findings are %s', (_, found, before) => {
    const outcome = jobSuccess(
      'FINISHED',
      [{ ...SEEN, ...accepted, ...found }],
      [{ ...EARLIER, ...accepted, ...before }],
    );
    expect(outcome.accepted).toEqual([]);
    expect(outcome.description).toBe('No open finding of at least medium severity.');
  });

  it('describes three accepted checks and returns all of them', () => {
    const checks = ['one', 'two', 'three', 'four', 'five'].map((checkId) => ({ ...ACCEPTED, checkId }));
    const outcome = jobSuccess(
      'FINISHED',
      checks.map((check) => ({ ...SEEN, accepted: check })),
      [],
    );
    expect(outcome.accepted).toEqual(checks);
    expect(outcome.description).toMatch(/: one on .*, two on .*, three on .*\), 2 more\.$/);
  });

  it('tells a caller who may accept checks how to do that, when the job failed', () => {
    const hint = 'To accept a check on an asset until a date: PUT /v1/assets/{asset_id}/accepted-checks/{check_id}.';
    expect(withHint(jobSuccess('FINISHED', [SEEN], [])).description).toMatch(/\("Open .git"\)\. To accept a check on/);
    expect(withHint(jobSuccess('FINISHED', [SEEN], [])).description).toContain(hint);
    expect(withHint(jobSuccess('FINISHED', [], [])).description).not.toContain(hint);
    expect(withHint(jobSuccess('PENDING', [], [])).description).not.toContain(hint);
  });

  it('does not offer to accept a check where only undecided tests fail the job', () => {
    const offers = (seen: SeenFinding[], earlier: EarlierFinding[]) =>
      withHint(jobSuccess('FINISHED', seen, earlier)).description.includes('To accept a check');
    expect(offers([], [EARLIER])).toBe(false);
    expect(offers([SEEN], [EARLIER])).toBe(true);
    expect(offers([], [EARLIER, { ...EARLIER, id: 3, undecided: null }])).toBe(true);
  });

  it('lists the findings that fail the pipeline, and no others', () => {
    const seen = [SEEN, { ...SEEN, id: 3, setAside: true }, { ...SEEN, id: 4, severity: 'low' as const }];
    const earlier = [EARLIER, { ...EARLIER, id: 5, confirmedFixed: true }, { ...EARLIER, id: 6, ...accepted }];
    expect(jobSuccess('FINISHED', seen, earlier).failing).toEqual([SEEN, EARLIER]);
    expect(jobSuccess('ERROR', seen, earlier).failing).toEqual([]);
  });

  it('is true only for a finished job without failing findings, and another finding never makes it true', () => {
    const title = fc.constantFrom('Open .git', 'Weak TLS');
    const severity = fc.constantFrom(...SEVERITIES);
    const place = { place: fc.constant(PLACE.place), check: fc.constant(PLACE.check) };
    const finding = { id: fc.nat(), title, severity, ...place, accepted: fc.constantFrom(null, ACCEPTED) };
    const seen = fc.array(fc.record({ ...finding, setAside: fc.boolean() }), { maxLength: 5 });
    const test = {
      isProved: fc.boolean(),
      unconfirmed: fc.boolean(),
      confirmedFixed: fc.boolean(),
      reason: fc.string(),
      undecided: fc.constant(null),
    };
    const earlier = fc.array(fc.record({ ...finding, ...test }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...JOB_STATUSES), seen, earlier, severity, (status, found, before, threshold) => {
        const { success } = jobSuccess(status, found, before, threshold);
        const bad =
          found.some(
            ({ severity, setAside, accepted }) => isAtLeast(severity, threshold) && !setAside && accepted === null,
          ) ||
          before.some(
            ({ severity, unconfirmed, confirmedFixed, accepted }) =>
              isAtLeast(severity, threshold) && unconfirmed && !confirmedFixed && accepted === null,
          );
        expect(success === true).toBe(status === 'FINISHED' && !bad);
        if (success !== true) {
          expect(jobSuccess(status, [...found, SEEN], [...before, EARLIER], threshold).success).not.toBe(true);
        }
      }),
    );
  });
});

it.each(['It did not finish.', 'It did not finish'])('says why a job ended in ERROR: %s', (error) => {
  expect(jobSuccess('ERROR', [], [], 'cosmic', error)).toMatchObject({
    success: false,
    description: 'The job ended in ERROR: It did not finish.',
    accepted: [],
  });
});

describe('requireSuccess', () => {
  it('refuses a failed job when the request asks for that', () => {
    const failed = jobSuccess('CANCELED', [], []);
    expect(() => requireSuccess(failed, true)).toThrow(expect.objectContaining({ kind: 'unprocessable' }));
    expect(requireSuccess(failed, false)).toBe(failed);
  });

  it('returns a success and an unfinished job unchanged', () => {
    for (const outcome of [jobSuccess('FINISHED', [], []), jobSuccess('PENDING', [], [])])
      expect(requireSuccess(outcome, true)).toBe(outcome);
  });
});
