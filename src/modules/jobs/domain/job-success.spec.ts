import * as fc from 'fast-check';
import { isAtLeast, SEVERITIES } from '../../../kernel/severity';
import { JOB_STATUSES } from './job-status';
import { requireSuccess, type EarlierFinding, jobSuccess, type SeenFinding } from './job-success';

const SEEN: SeenFinding = { title: 'Open .git', severity: 'high', setAside: false };
const EARLIER: EarlierFinding = { title: 'Weak TLS', severity: 'medium', unsettled: true, confirmedFixed: false };

describe('jobSuccess', () => {
  it.each(['PENDING', 'IN_PROGRESS'] as const)('is not known while the job is %s', (status) => {
    expect(jobSuccess(status, [SEEN], [])).toEqual({ success: null, description: `The job is ${status}: ask again.` });
  });

  it.each(['ERROR', 'CANCELED'] as const)('is false when the job ended in %s, whatever it saw', (status) => {
    expect(jobSuccess(status, [], [])).toEqual({
      success: false,
      description: `The job ended in ${status}: nothing was shown.`,
    });
  });

  it('is true when nothing stands', () => {
    expect(jobSuccess('FINISHED', [], [])).toEqual({
      success: true,
      description: 'No finding of at least medium severity stands.',
    });
  });

  it.each<[string, Partial<SeenFinding>, boolean]>([
    ['as bad as the threshold', { severity: 'medium' }, false],
    ['less bad', { severity: 'low' }, true],
    ['set aside', { setAside: true }, true],
  ])('what it saw counts: %s', (_, finding, success) => {
    expect(jobSuccess('FINISHED', [{ ...SEEN, ...finding }], []).success).toBe(success);
  });

  it.each<[string, Partial<EarlierFinding>, boolean]>([
    ['it stands, and this job did not show it gone', {}, false],
    ['this job showed it gone', { confirmedFixed: true }, true],
    ['settled before', { unsettled: false }, true],
    ['less bad', { severity: 'low' }, true],
  ])('what was found before counts: %s', (_, finding, success) => {
    expect(jobSuccess('FINISHED', [], [{ ...EARLIER, ...finding }]).success).toBe(success);
  });

  it('says what stands in the way', () => {
    expect(jobSuccess('FINISHED', [SEEN, SEEN, SEEN, SEEN, SEEN], [EARLIER], 'low').description).toBe(
      'Findings of at least low severity: 5 seen by this job ("Open .git", "Open .git", "Open .git", 2 more); ' +
        '1 from before, and not shown to be gone ("Weak TLS").',
    );
  });

  it('is true only for a finished job with nothing in the way, and never by a finding more', () => {
    const title = fc.constantFrom('Open .git', 'Weak TLS');
    const severity = fc.constantFrom(...SEVERITIES);
    const seen = fc.array(fc.record({ title, severity, setAside: fc.boolean() }), { maxLength: 5 });
    const earlier = fc.array(fc.record({ title, severity, unsettled: fc.boolean(), confirmedFixed: fc.boolean() }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.constantFrom(...JOB_STATUSES), seen, earlier, severity, (status, found, before, threshold) => {
        const { success } = jobSuccess(status, found, before, threshold);
        const bad =
          found.some((finding) => isAtLeast(finding.severity, threshold) && !finding.setAside) ||
          before.some(
            ({ severity, unsettled, confirmedFixed }) => isAtLeast(severity, threshold) && unsettled && !confirmedFixed,
          );
        expect(success === true).toBe(status === 'FINISHED' && !bad);
        if (success !== true) {
          expect(jobSuccess(status, [...found, SEEN], [...before, EARLIER], threshold).success).not.toBe(true);
        }
      }),
    );
  });
});

it.each(['It was not through.', 'It was not through'])('says why a job ended in ERROR: %s', (error) => {
  expect(jobSuccess('ERROR', [], [], 'cosmic', error)).toEqual({
    success: false,
    description: 'The job ended in ERROR: It was not through.',
  });
});

describe('requireSuccess', () => {
  it('refuses what is no success, where that is asked for', () => {
    const failed = jobSuccess('CANCELED', [], []);
    expect(() => requireSuccess(failed, true)).toThrow(expect.objectContaining({ kind: 'unprocessable' }));
    expect(requireSuccess(failed, false)).toBe(failed);
  });

  it('lets pass what is good, and what is not known yet', () => {
    for (const outcome of [jobSuccess('FINISHED', [], []), jobSuccess('PENDING', [], [])])
      expect(requireSuccess(outcome, true)).toBe(outcome);
  });
});
