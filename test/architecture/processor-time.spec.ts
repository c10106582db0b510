import ProcessorTime from '../suites/processor-time.cjs';

const records = [
  { specs: [['e2e/jobs', 9_000] as const, ['e2e/short', 20] as const], loopMs: 10 },
  { specs: [['e2e/cli', 12_500] as const], loopMs: 12 },
  { specs: [['e2e/other', 10] as const], loopMs: 90 },
];
const whole = { records, totalMs: 120_000, isWhole: true };

describe('the summary of a test run', () => {
  it('names the specs with the most processor time first', () => {
    const { lines } = ProcessorTime.summaryOf({ ...whole, budget: 10_000 });
    expect(lines.slice(0, 3)).toEqual([
      'Longest specs by processor time:',
      '    12.5 s  e2e/cli',
      '     9.0 s  e2e/jobs',
    ]);
  });

  it('names ten specs at most', () => {
    const specs = Array.from({ length: 30 }, (_, index) => [`spec ${index}`, index] as const);
    const { lines } = ProcessorTime.summaryOf({ records: [{ specs, loopMs: 1 }], totalMs: null, isWhole: true });
    expect(lines).toHaveLength(11);
  });

  it('fails a run that takes more than a fifth above the budget, in loops of the median time', () => {
    // 120 s are 10,000 loops of 12 ms; one loop of 90 ms does not count.
    expect(ProcessorTime.summaryOf({ ...whole, budget: 8_334 }).error).toBeNull();
    expect(ProcessorTime.summaryOf({ ...whole, budget: 8_333 }).error).toContain('10000 loops of 12.0 ms');
  });

  it('does not judge a part of the tests, or a machine that does not say what processes took', () => {
    expect(ProcessorTime.summaryOf({ ...whole, isWhole: false, budget: 1 }).error).toBeNull();
    expect(ProcessorTime.summaryOf({ ...whole, totalMs: null, budget: 1 }).error).toBeNull();
  });
});
