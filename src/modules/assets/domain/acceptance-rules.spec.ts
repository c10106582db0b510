import { requireEnd, requireReason } from './acceptance-rules';

const now = new Date('2028-02-29T12:00:00Z');

it.each(['2028-02-29T12:00:00.001Z', '2028-12-31T00:00:00Z', '2029-03-01T23:59:59.999Z'])(
  'an acceptance may end at %s',
  (until) => expect(() => requireEnd(new Date(until), now)).not.toThrow(),
);

it.each([
  ['2028-02-29T12:00:00Z', 'until must be in the future.'],
  ['2020-01-01T00:00:00Z', 'until must be in the future.'],
  ['2029-03-02T00:00:00Z', 'until must be at most a year ahead, 2029-03-01 or earlier.'],
])('an acceptance may not end at %s', (until, message) =>
  expect(() => requireEnd(new Date(until), now)).toThrow(message),
);

it.each(['', '  ', 'two\nlines', '\u001b[31mred', '\ud800'])('%j is not a reason', (text) =>
  expect(() => requireReason(text)).toThrow(/^reason must /),
);
