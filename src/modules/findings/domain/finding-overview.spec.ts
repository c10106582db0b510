import { openBySeverity, OVERVIEW_WEEKS, weeksBefore } from './finding-overview';

describe('openBySeverity', () => {
  it('has the worst severity first, and a count for each age', () => {
    const rows = [
      { severity: 2, age: 0, count: 4 },
      { severity: 5, age: 3, count: 1 },
      { severity: 2, age: 2, count: 6 },
    ];
    expect(openBySeverity(rows)).toEqual([
      { severity: 5, ages: [0, 0, 0, 1] },
      { severity: 2, ages: [4, 0, 6, 0] },
    ]);
  });
});

describe('weeksBefore', () => {
  it('goes back from what is open now, for each severity', () => {
    const last = OVERVIEW_WEEKS - 1;
    const weeks = weeksBefore(
      [{ severity: 4, ages: [2, 1, 0, 0] }],
      [
        { week: last, severity: 4, found: 2, fixed: 0, change: 2 },
        { week: last - 1, severity: 4, found: 1, fixed: 1, change: 0 },
        { week: last - 1, severity: 3, found: 0, fixed: 5, change: -5 },
      ],
    );
    expect(weeks).toHaveLength(OVERVIEW_WEEKS);
    expect(weeks.slice(-3)).toEqual([
      { found: 0, fixed: 0, open: { 3: 5, 4: 1 } },
      { found: 1, fixed: 6, open: { 4: 1 } },
      { found: 2, fixed: 0, open: { 4: 3 } },
    ]);
  });
});
