import { TIMINGS, timingIn, timingOf } from './schedule-timings';

const zone = { time_zone: 'Europe/Lisbon' };

it.each([
  [{ when: 'nightly', ...zone, cron: '5 5 * * *', every_hours: 6 }, '0 3 * * *', null],
  [{ when: 'weekly', ...zone }, '0 3 * * 1', null],
  [{ when: 'hours', ...zone, cron: '5 5 * * *', every_hours: 6 }, null, 6],
  [{ when: 'cron', ...zone, cron: '5 5 * * *', every_hours: 6 }, '5 5 * * *', null],
  [{ ...zone, cron: '5 5 * * *', every_hours: 6 }, '5 5 * * *', 6],
] as const)('takes %j for cron %s and every %s hours', (fields, cron, everyHours) => {
  const timeZone = cron === null ? null : 'Europe/Lisbon';
  expect(timingIn(fields)).toEqual({ cron, timeZone, everyHours });
});

it('knows the choice that a schedule was made with', () => {
  const given = { ...zone, cron: '5 5 * * *', every_hours: 6 };
  expect(TIMINGS.map((when) => timingOf(timingIn({ ...given, when })))).toEqual(TIMINGS);
});
