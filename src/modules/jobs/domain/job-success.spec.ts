import * as fc from 'fast-check';
import { isAtLeast, SEVERITIES } from '../../../kernel/severity';
import { JOB_STATUSES } from './job-status';
import { requireSuccess, type EarlierFinding, jobSuccess, type SeenFinding } from './job-success';

const SEEN: SeenFinding = { id: 1, title: 'Open .git', severity: 'high', setAside: false };
const EARLIER: EarlierFinding = {
  id: 2,
  title: 'Weak TLS',
  severity: 'medium',
  unconfirmed: true,
  confirmedFixed: false,
};

describe('jobSuccess', () => {
  it.each(['PENDING', 'IN_PROGRESS'] as const)('is not known while the job is %s', (status) => {
    expect(jobSuccess(status, [SEEN], [])).toMatchObject({
      success: null,
      description: `The job is ${status}: ask again.`,
    });
  });

  it.each(['ERROR', 'CANCELED'] as const)('is false when the job ended in %s, whatever the job found', (status) => {
    expect(jobSuccess(status, [], [])).toMatchObject({
      success: false,
      description: `The job ended in ${status}: nothing was tested.`,
    });
  });

  it('is true when there is no open finding', () => {
    expect(jobSuccess('FINISHED', [], [])).toMatchObject({
      success: true,
      description: 'No open finding of at least medium severity.',
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
        '1 found earlier and not confirmed as fixed ("Weak TLS").',
    );
  });

  it('has the ids of the findings that fail the pipeline, and of no others', () => {
    const seen = [SEEN, { ...SEEN, id: 3, setAside: true }, { ...SEEN, id: 4, severity: 'low' as const }];
    const earlier = [EARLIER, { ...EARLIER, id: 5, confirmedFixed: true }];
    expect(jobSuccess('FINISHED', seen, earlier).failing).toEqual([1, 2]);
    expect(jobSuccess('ERROR', seen, earlier).failing).toEqual([]);
  });

  it('is true only for a finished job without failing findings, and another finding never makes it true', () => {
    const title = fc.constantFrom('Open .git', 'Weak TLS');
    const severity = fc.constantFrom(...SEVERITIES);
    const seen = fc.array(fc.record({ id: fc.nat(), title, severity, setAside: fc.boolean() }), { maxLength: 5 });
    const earlier = fc.array(
      fc.record({ id: fc.nat(), title, severity, unconfirmed: fc.boolean(), confirmedFixed: fc.boolean() }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...JOB_STATUSES), seen, earlier, severity, (status, found, before, threshold) => {
        const { success } = jobSuccess(status, found, before, threshold);
        const bad =
          found.some((finding) => isAtLeast(finding.severity, threshold) && !finding.setAside) ||
          before.some(
            ({ severity, unconfirmed, confirmedFixed }) =>
              isAtLeast(severity, threshold) && unconfirmed && !confirmedFixed,
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
