import { dateFormat } from './date-format';

it('uses a format again, and only for the same options', () => {
  const utc = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });
  expect(dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })).toBe(utc);
  expect(dateFormat({ dateStyle: 'medium', timeZone: 'Asia/Tokyo' })).not.toBe(utc);
  expect(utc.format(new Date('2026-11-22T12:00:00Z'))).toBe('22 Nov 2026');
});

it('refuses a time zone that does not exist', () => {
  expect(() => dateFormat({ timeZone: 'Mars/Olympus' })).toThrow(RangeError);
});
