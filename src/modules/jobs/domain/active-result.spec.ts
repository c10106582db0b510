import type { ActiveScan, Check, Coverage, Scan } from '../../../engine';
import { checkById } from '../../../engine/checks';
import { type OutcomeCount, joinedScan } from './active-result';
import { completionOf, withIncompleteChecks } from './incomplete-checks';
import { jobSuccess } from './job-success';

const CHECK = { id: 'sql-injection' } as Check;
const standard: Scan = {
  end: 'complete',
  reason: null,
  started: '2026-01-02T00:00:00.000Z',
  finished: '2026-01-02T00:01:00.000Z',
  sightings: [],
  coverage: [],
  look: null,
};

const SITE = 'https://a.example/';
const REST = 'https://a.example/?*';

const coverageOf = (active: Partial<ActiveScan>, counts: readonly OutcomeCount[], before = standard): Scan => {
  const scan: ActiveScan = { end: 'complete', reason: null, pages: 9, shapes: 9, points: 9, tested: 9, ...active };
  return joinedScan(before, { scan, checks: [CHECK], selected: [], location: SITE, rest: REST, results: [], counts });
};

const joined = (...given: Parameters<typeof coverageOf>) => {
  const { end, coverage } = coverageOf(...given);
  return [end, ...coverage.map(({ outcome, reason }) => `${outcome}: ${reason}`)];
};

const rowOf = (location: string, outcome: Coverage['outcome']): Coverage => ({
  check: CHECK.id,
  location,
  outcome,
  reason: 'said by the standard part',
  controlFailure: null,
  verdict: null,
});
const used = 'the time of the job (7200 seconds) was used up';
const counted = (outcome: OutcomeCount['outcome'], points: number): OutcomeCount[] => [
  { check: CHECK.id, outcome, points },
];

describe('the result of an active job', () => {
  it('is incomplete if its budget was used up before any point was tested', () => {
    expect(joined({ reason: used }, [])).toEqual(['partial', `inconclusive: no point was tested: ${used}`]);
  });

  it.each<[OutcomeCount['outcome'], readonly string[]]>([
    ['not_vulnerable', ['not_vulnerable: 2 points tested, without the weakness']],
    ['not_applicable', ['not_applicable: no point was found that it tests']],
    ['vulnerable', []],
    ['blocked', ['blocked: 2 of 2 points could not be tested']],
  ])('is incomplete if its budget was used up before each point was tested: %s', (outcome, said) => {
    expect(joined({ reason: used, points: 3_000, tested: 2 }, counted(outcome, 2))).toEqual([
      'partial',
      ...said,
      `inconclusive: 2,998 of 3,000 points were not reached: ${used}`,
    ]);
  });

  it('is incomplete if points were not found or not stored', () => {
    expect(joined({ reason: 'not all pages were read' }, counted('not_vulnerable', 9))).toEqual([
      'partial',
      'not_vulnerable: 9 points tested, without the weakness',
      'inconclusive: not all pages were read',
    ]);
  });

  it('fails a pipeline with points that were not reached, unless it allows incomplete checks', () => {
    const { coverage } = coverageOf({ reason: used, points: 3_000, tested: 1 }, counted('not_vulnerable', 1));
    const completion = completionOf(coverage, new Set());
    const outcomeIf = (isRequested: boolean) =>
      withIncompleteChecks(jobSuccess('FINISHED', [], []), completion, {
        isRequested,
        openChecks: new Set(),
        acceptedAt: () => null,
      });
    expect(outcomeIf(false)).toMatchObject({
      success: false,
      description: expect.stringContaining('2,999 of 3,000 points were not reached'),
    });
    expect(outcomeIf(true)).toMatchObject({ success: true });
    expect(completionOf(coverageOf({}, counted('not_vulnerable', 9)).coverage, new Set()).incomplete).toEqual([]);
  });

  it('says what it has not reached beside what the standard part has seen there, and tests what that has left out', () => {
    const rows = [rowOf(SITE, 'vulnerable'), rowOf(REST, 'inconclusive')];
    const standardPart = { ...standard, coverage: rows };
    expect(joined({ reason: used }, counted('not_vulnerable', 9), standardPart)).toEqual([
      'partial',
      'vulnerable: said by the standard part',
      `inconclusive: ${used}`,
    ]);
    expect(joined({}, counted('not_vulnerable', 9), standardPart)).toEqual([
      'complete',
      'vulnerable: said by the standard part',
    ]);
    const seen = { ...standard, coverage: [rowOf(REST, 'vulnerable')] };
    expect(joined({ reason: used }, counted('vulnerable', 9), seen).slice(1)).toEqual([
      'vulnerable: said by the standard part',
      `inconclusive: ${used}`,
    ]);
  });

  it.each(['interrupted', 'stopped'] as const)('says that it was %s where no other reason hides it', (end) => {
    const fixed = { ...rowOf(SITE, 'not_vulnerable'), verdict: { result: 'fixed' } as Coverage['verdict'] };
    for (const row of [rowOf(SITE, 'vulnerable'), fixed]) {
      const { coverage } = coverageOf({ end, reason: 'the window closed' }, [], { ...standard, coverage: [row] });
      expect(coverage).toEqual([row, { ...rowOf(REST, 'inconclusive'), reason: 'the window closed' }]);
    }
  });

  it('is incomplete where payloads were refused', () => {
    const refused = [...counted('not_vulnerable', 2), ...counted('blocked', 3)];
    expect(joined({}, refused)).toEqual(['partial', 'blocked: 3 of 5 points could not be tested']);
    expect(joined({}, [...refused, ...counted('inconclusive', 1)])).toEqual([
      'partial',
      'inconclusive: 4 of 6 points could not be tested',
    ]);
  });

  describe('without a call of the listener', () => {
    const ssrf = checkById('server-side-request-forgery') as Check;
    const scan: ActiveScan = { end: 'complete', reason: null, pages: 9, shapes: 9, points: 9, tested: 9 };
    const endOf = (selected: readonly string[], points: number) => {
      const counts: OutcomeCount[] = points === 0 ? [] : [{ check: ssrf.id, outcome: 'not_applicable', points }];
      const all = { scan, checks: [ssrf], selected, location: SITE, rest: REST, results: [], counts };
      const { end, coverage } = joinedScan(standard, all);
      const completion = completionOf(coverage, new Set());
      const allowance = { isRequested: false, openChecks: new Set<string>(), acceptedAt: () => null };
      const { success } = withIncompleteChecks(jobSuccess('FINISHED', [], []), completion, allowance);
      return { end, success, said: coverage.map(({ outcome, reason }) => `${outcome}: ${reason}`) };
    };

    it('fails if a job names a check that only calls show', () => {
      expect(endOf([ssrf.id], 9)).toEqual({
        end: 'partial',
        success: false,
        said: [expect.stringMatching(/^inconclusive: not testable from here/)],
      });
      expect(endOf([ssrf.id], 0)).toMatchObject({ end: 'complete', success: true });
    });

    it('does not fail a job that names none', () => {
      expect(endOf([], 9)).toEqual({
        end: 'complete',
        success: true,
        said: [expect.stringMatching(/^not_applicable: not testable from here/)],
      });
    });
  });

  it('has nothing to test on a site without points', () => {
    expect(joined({ points: 0 }, [])).toEqual(['complete', 'not_applicable: no point was found that it tests']);
  });
});
