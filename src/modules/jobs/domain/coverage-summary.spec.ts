import { completionOf } from './incomplete-checks';
import { type CoverageSummary, CoverageByAsset, type TestedJob } from './coverage-summary';

const job = (parts: Partial<TestedJob>): TestedJob => ({
  assetId: 1,
  url: 'https://a.example/',
  finished: new Date('2026-01-02T00:00:00Z'),
  error: null,
  coverage: [],
  ...parts,
});
const covered = (
  check: string,
  outcome: 'vulnerable' | 'not_vulnerable' | 'inconclusive' | 'blocked' | 'not_applicable',
  reason = '',
) => ({
  check,
  location: 'https://a.example/',
  outcome,
  reason,
});

function coverageByAsset(jobs: readonly TestedJob[], open: readonly string[] = []): Map<number, CoverageSummary> {
  const coverage = new CoverageByAsset();
  for (const job of jobs) coverage.add(job, completionOf(job.coverage, new Set(open)));
  return coverage.summaries;
}

describe('CoverageByAsset', () => {
  it('counts completed checks and lists the others with their reason, per asset', () => {
    const summaries = coverageByAsset([
      job({
        coverage: [
          covered('a', 'vulnerable'),
          covered('b', 'not_vulnerable'),
          covered('c', 'inconclusive', 'it was down'),
        ],
      }),
      job({ assetId: 2, coverage: [covered('a', 'not_applicable', 'tested over https only')] }),
    ]);
    expect(summaries.get(1)).toEqual({
      lastTested: new Date('2026-01-02T00:00:00Z'),
      checksCompleted: 2,
      checks: new Map([
        ['a', { completed: 1, notCompleted: 0 }],
        ['b', { completed: 1, notCompleted: 0 }],
        ['c', { completed: 0, notCompleted: 1 }],
      ]),
      notTested: [{ check: 'c', location: 'https://a.example/', reason: 'it was down' }],
    });
    expect(summaries.get(2)).toMatchObject({ checksCompleted: 0, notTested: [] });
    expect(summaries.has(3)).toBe(false);
  });

  it('counts a refused test as the gate does: completed, unless a finding of its check is open', () => {
    const tests = Array.from({ length: 9 }, (_none, at) => covered(`c${at}`, 'not_vulnerable'));
    const jobs = [job({ coverage: [...tests, covered('a', 'blocked', '/.env gets 403')] })];
    const [passed, open] = [[], ['a']].map((checks) => coverageByAsset(jobs, checks).get(1));
    expect(passed).toMatchObject({
      checksCompleted: 10,
      notTested: [{ reason: expect.stringMatching(/^refused, not/) }],
    });
    expect(open).toMatchObject({ checksCompleted: 9, notTested: [{ check: 'a', reason: '/.env gets 403' }] });
  });

  it('counts only the last test of a place', () => {
    const before = new Date('2026-01-01T00:00:00Z');
    const summaries = coverageByAsset([
      job({ coverage: [covered('a', 'not_vulnerable'), covered('b', 'inconclusive', 'now')] }),
      job({ finished: before, coverage: [covered('a', 'inconclusive', 'before'), covered('b', 'not_vulnerable')] }),
    ]);
    expect(summaries.get(1)).toMatchObject({
      lastTested: new Date('2026-01-02T00:00:00Z'),
      checksCompleted: 1,
      notTested: [{ check: 'b', reason: 'now' }],
    });
  });

  it('lists all checks as not tested when a job failed as a whole', () => {
    const summaries = coverageByAsset([job({ error: 'It did not finish within 5 minutes.' })]);
    expect(summaries.get(1)?.notTested).toEqual([
      { check: 'all checks', location: 'https://a.example/', reason: 'It did not finish within 5 minutes.' },
    ]);
  });

  it('leaves out the query of the URL of a job that failed as a whole, which may carry a token', () => {
    const summaries = coverageByAsset([job({ url: 'https://a.example/login?token=secret#top', error: 'It failed.' })]);
    expect(summaries.get(1)?.notTested).toMatchObject([{ location: 'https://a.example/login' }]);
  });
});
