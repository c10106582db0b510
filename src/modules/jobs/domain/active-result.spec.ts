import type { ActiveScan, Check, Scan } from '../../../engine';
import { type OutcomeCount, joinedScan } from './active-result';

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

const joined = (active: Partial<ActiveScan>, counts: readonly OutcomeCount[]) => {
  const scan: ActiveScan = { end: 'complete', reason: null, pages: 9, shapes: 9, points: 9, tested: 0, ...active };
  const { end, coverage } = joinedScan(standard, { scan, checks: [CHECK], location: 'here', results: [], counts });
  return [end, ...coverage.map(({ outcome, reason }) => `${outcome}: ${reason}`)];
};
const used = 'the time of the job (7200 seconds) was used up';
const counted = (outcome: OutcomeCount['outcome'], points: number): OutcomeCount[] => [
  { check: CHECK.id, outcome, points },
];

describe('the result of an active job', () => {
  it('is incomplete if its budget was used up before any point was tested', () => {
    expect(joined({ reason: used }, [])).toEqual(['partial', `inconclusive: no point was tested: ${used}`]);
  });

  it('is complete if its budget was used up after some points were tested', () => {
    expect(joined({ reason: used }, counted('not_vulnerable', 2))).toEqual([
      'complete',
      `not_vulnerable: 2 points tested, without the weakness; ${used}`,
    ]);
    expect(joined({ reason: used }, counted('not_applicable', 2))).toEqual([
      'complete',
      `not_applicable: no point was found that it tests; ${used}`,
    ]);
  });

  it('is incomplete where payloads were refused', () => {
    const refused = [...counted('not_vulnerable', 2), ...counted('blocked', 3)];
    expect(joined({}, refused)).toEqual(['partial', 'blocked: 3 of 5 points could not be tested']);
    expect(joined({}, [...refused, ...counted('inconclusive', 1)])).toEqual([
      'partial',
      'inconclusive: 4 of 6 points could not be tested',
    ]);
  });

  it('has nothing to test on a site without points', () => {
    expect(joined({ points: 0 }, [])).toEqual(['complete', 'not_applicable: no point was found that it tests']);
  });
});
