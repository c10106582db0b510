import { type ChannelTiming, countedHour, nextTurn } from './channel-turn';

const timing: ChannelTiming = {
  quiet: [],
  digest: 'off',
  digestHour: 9,
  timeZone: 'Europe/Lisbon',
  hourlyLimit: 3,
  hourStarted: null,
  hourSent: 0,
};

/** A Wednesday, on which Lisbon is an hour ahead of UTC. */
const noon = new Date('2026-07-15T12:00:00Z');
const at = (time: string): Date => new Date(`2026-07-${time}Z`);

it('sends a change at once', () => {
  expect(nextTurn(timing, noon, noon)).toEqual({ takes: 'one' });
});

it.each([
  ['15T21:30:00', '16T06:00:00'],
  ['16T05:59:59', '16T06:00:00'],
  ['17T21:30:00', '18T06:00:00'],
])('holds a change of the quiet hours until they end: %s', (now, until) => {
  const quiet = ['Mo-Fr 22:00-07:00 Europe/Lisbon'];
  expect(nextTurn({ ...timing, quiet }, at(now), at(now))).toEqual({ waitUntil: at(until) });
  expect(nextTurn({ ...timing, quiet }, at(now), at(until))).toEqual({ takes: 'one' });
});

it('quiet hours that end at the hour of a digest do not hold it, and longer ones do', () => {
  const daily = { ...timing, digest: 'daily' } as const;
  expect(nextTurn({ ...daily, quiet: ['Mo-Su 22:00-09:00 Europe/Lisbon'] }, noon, at('16T08:00:00'))).toEqual({
    takes: 'all',
  });
  expect(nextTurn({ ...daily, quiet: ['Mo-Su 22:00-10:00 Europe/Lisbon'] }, noon, at('16T08:00:00'))).toEqual({
    waitUntil: at('16T09:00:00'),
  });
});

it.each([
  ['daily', '15T12:00:00', '16T08:00:00'],
  ['daily', '15T07:59:59', '15T08:00:00'],
  ['daily', '15T08:00:00', '16T08:00:00'],
  ['weekly', '15T12:00:00', '20T08:00:00'],
  ['weekly', '20T08:00:00', '27T08:00:00'],
] as const)('a %s digest of a change at %s comes at %s', (digest, oldest, due) => {
  expect(nextTurn({ ...timing, digest }, at(oldest), at(oldest))).toEqual({ waitUntil: at(due) });
  expect(nextTurn({ ...timing, digest }, at(oldest), at(due))).toEqual({ takes: 'all' });
});

it('a digest follows the clocks of the zone when they change', () => {
  const saturday = new Date('2026-10-24T12:00:00Z');
  const turn = nextTurn({ ...timing, digest: 'daily' }, saturday, saturday);
  expect(turn).toEqual({ waitUntil: new Date('2026-10-25T09:00:00Z') });
});

it('holds what exceeds the limit of an hour, and then sends all of it in one message', () => {
  const full = { ...timing, hourStarted: noon, hourSent: 3 };
  expect(nextTurn(full, at('15T12:59:00'), at('15T12:59:00'))).toEqual({ waitUntil: at('15T13:00:00') });
  expect(nextTurn(full, at('15T12:59:00'), at('15T13:00:00'))).toEqual({ takes: 'all' });
  expect(nextTurn(full, at('15T13:01:00'), at('15T13:01:00'))).toEqual({ takes: 'one' });
});

it('counts the messages of an hour from its first', () => {
  expect(countedHour(timing, noon)).toEqual({ hourStarted: noon, hourSent: 1 });
  const started = { ...timing, hourStarted: noon, hourSent: 1 };
  expect(countedHour(started, at('15T12:59:59'))).toEqual({ hourStarted: noon, hourSent: 2 });
  expect(countedHour(started, at('15T13:00:00'))).toEqual({ hourStarted: at('15T13:00:00'), hourSent: 1 });
});
