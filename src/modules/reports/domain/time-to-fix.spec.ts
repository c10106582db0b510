import { timeToFix } from './time-to-fix';

const after = (severity: 'high' | 'low', hours: number | null) => ({
  severity,
  created: '2026-01-01T00:00:00.000Z',
  resolved: hours === null ? null : new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString(),
});

it('timeToFix has the median and the longest of each severity that was resolved, most urgent first', () => {
  const findings = [after('low', 1), after('high', 10), after('high', 30), after('high', 20), after('low', 2.25)];
  expect(timeToFix([...findings, after('high', null)])).toEqual([
    { severity: 'high', count: 3, median_hours: 20, longest_hours: 30 },
    { severity: 'low', count: 2, median_hours: 1.6, longest_hours: 2.3 },
  ]);
  expect(timeToFix([after('high', null)])).toEqual([]);
  expect(timeToFix([after('high', -5)])).toEqual([{ severity: 'high', count: 1, median_hours: 0, longest_hours: 0 }]);
});
