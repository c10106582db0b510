import { type CoverageAccount, CoverageByAsset, type CoveringJob } from './coverage-account';

const job = (parts: Partial<CoveringJob>): CoveringJob => ({
  assetId: 1,
  url: 'https://a.example/',
  finished: new Date('2026-01-02T00:00:00Z'),
  error: null,
  coverage: [],
  ...parts,
});
const covered = (
  check: string,
  outcome: 'vulnerable' | 'not_vulnerable' | 'inconclusive' | 'not_applicable',
  reason = '',
) => ({
  check,
  location: 'https://a.example/',
  outcome,
  reason,
});

function coverageByAsset(jobs: readonly CoveringJob[]): Map<number, CoverageAccount> {
  const coverage = new CoverageByAsset();
  for (const job of jobs) coverage.add(job);
  return coverage.accounts;
}

describe('the coverage of assets', () => {
  it('counts what was completed and names what was not, asset by asset', () => {
    const accounts = coverageByAsset([
      job({
        coverage: [
          covered('a', 'vulnerable'),
          covered('b', 'not_vulnerable'),
          covered('c', 'inconclusive', 'it was down'),
        ],
      }),
      job({ assetId: 2, coverage: [covered('a', 'not_applicable', 'tested over https only')] }),
    ]);
    expect(accounts.get(1)).toEqual({
      lastTested: new Date('2026-01-02T00:00:00Z'),
      checksCompleted: 2,
      notTested: [{ check: 'c', location: 'https://a.example/', reason: 'it was down' }],
    });
    expect(accounts.get(2)).toMatchObject({ checksCompleted: 0, notTested: [] });
    expect(accounts.has(3)).toBe(false);
  });

  it('goes by the last look at a place', () => {
    const before = new Date('2026-01-01T00:00:00Z');
    const accounts = coverageByAsset([
      job({ coverage: [covered('a', 'not_vulnerable'), covered('b', 'inconclusive', 'now')] }),
      job({ finished: before, coverage: [covered('a', 'inconclusive', 'before'), covered('b', 'not_vulnerable')] }),
    ]);
    expect(accounts.get(1)).toMatchObject({
      lastTested: new Date('2026-01-02T00:00:00Z'),
      checksCompleted: 1,
      notTested: [{ check: 'b', reason: 'now' }],
    });
  });

  it('says of a job that came to nothing that nothing was tested', () => {
    const accounts = coverageByAsset([job({ error: 'It was not through after 5 minutes.' })]);
    expect(accounts.get(1)?.notTested).toEqual([
      { check: 'all checks', location: 'https://a.example/', reason: 'It was not through after 5 minutes.' },
    ]);
  });
});
