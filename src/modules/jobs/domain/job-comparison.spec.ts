import { compareJobs, type SeenPlace, type ShownByJob } from './job-comparison';

const LOCATION = 'https://shop.example.com/.git/HEAD';

const place = (more: Partial<SeenPlace> = {}): SeenPlace => ({
  id: 1,
  ownId: 1,
  title: 'Git',
  severity: 3,
  checkId: 'exposed-git',
  location: LOCATION,
  ...more,
});

type Covered = ShownByJob['coverage'][number];

const covered = (outcome: Covered['outcome'], more: Partial<Covered> = {}): Covered => ({
  check: 'exposed-git',
  location: LOCATION,
  outcome,
  reason: `it is ${outcome}`,
  verdict: null,
  ...more,
});

const shown = (more: Partial<ShownByJob> = {}): ShownByJob => ({
  coverage: [],
  seen: [],
  fixedIds: new Set(),
  ...more,
});

const verdict = (result: 'fixed' | 'inconclusive'): Covered['verdict'] => ({
  result,
  reason: `the verdict is ${result}`,
});

const changesOf = (earlier: Partial<ShownByJob>, later: Partial<ShownByJob>): string[] =>
  compareJobs(shown(earlier), shown(later)).findings.map(({ id, change, reason }) => `${id} ${change}: ${reason}`);

describe('compareJobs', () => {
  const seen = [place()];

  it('calls a finding new only if the earlier job tested its place', () => {
    expect(changesOf({ coverage: [covered('not_vulnerable')] }, { seen })).toEqual(['1 new: it is not_vulnerable']);
    expect(changesOf({ coverage: [covered('not_applicable')] }, { seen })).toEqual(['1 new: it is not_applicable']);
    expect(changesOf({ coverage: [covered('inconclusive')] }, { seen })).toEqual(['1 found: it is inconclusive']);
    expect(changesOf({}, { seen })).toEqual(['1 found: its check did not run']);
  });

  it('calls a finding fixed only if the later job confirmed the fix of each of its places', () => {
    const coverage = [covered('not_vulnerable', { verdict: verdict('fixed') })];
    const fixedIds = new Set([1]);
    expect(changesOf({ seen }, { coverage, fixedIds })).toEqual(['1 fixed: the verdict is fixed']);
    const places = [place(), place({ ownId: 2, location: 'https://shop.example.com/old/.git/HEAD' })];
    expect(changesOf({ seen: places }, { coverage, fixedIds })).toEqual(['1 not_seen: the verdict is fixed']);
  });

  it('says of a finding that the later job did not see whether it tested there', () => {
    expect(changesOf({ seen }, { coverage: [covered('not_vulnerable')] })).toEqual([
      '1 not_seen: it is not_vulnerable',
    ]);
    for (const outcome of ['inconclusive', 'not_applicable', 'vulnerable'] as const)
      expect(changesOf({ seen }, { coverage: [covered(outcome)] })).toEqual([`1 unknown: it is ${outcome}`]);
    const undecided = covered('not_vulnerable', { verdict: verdict('inconclusive') });
    expect(changesOf({ seen }, { coverage: [undecided] })).toEqual(['1 unknown: the verdict is inconclusive']);
    expect(changesOf({ seen }, {})).toEqual(['1 unknown: its check did not run']);
  });

  it('decides by the worst of several places, and by other places of the check only without a result for its own', () => {
    const location = 'https://shop.example.com/old/.git/HEAD';
    const coverage = [covered('not_vulnerable'), covered('inconclusive', { location })];
    expect(changesOf({ seen: [place(), place({ ownId: 2, location })] }, { coverage })).toEqual([
      '1 unknown: it is inconclusive',
    ]);
    expect(changesOf({ seen }, { coverage })).toEqual(['1 not_seen: it is not_vulnerable']);
    const elsewhere = [covered('vulnerable', { location })];
    expect(changesOf({ coverage: elsewhere }, { seen })).toEqual(['1 new: null']);
  });

  it('lists what both saw, the most severe first, and each check that one of them could not decide', () => {
    const both = [place(), place({ id: 2, ownId: 2, severity: 4 })];
    expect(changesOf({ seen: both }, { seen: both })).toEqual(['2 still_there: null', '1 still_there: null']);
    const { undecided } = compareJobs(
      shown({ coverage: [covered('inconclusive'), covered('not_vulnerable', { check: 'weak-csp' })] }),
      shown({ coverage: [covered('vulnerable'), covered('inconclusive', { check: 'missing-hsts' })] }),
    );
    expect(undecided.map(({ check, earlier, later }) => [check, earlier?.outcome, later?.outcome])).toEqual([
      ['exposed-git', 'inconclusive', 'vulnerable'],
      ['missing-hsts', undefined, 'inconclusive'],
    ]);
  });
});
