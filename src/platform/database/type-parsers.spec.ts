import * as fc from 'fast-check';
import { types } from 'pg';
import { parseInstant, typeParser } from './type-parsers';

const parserOfPg = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text');

it('reads an instant in UTC as the parser of pg does', () => {
  const instants = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (instant) => {
      // PostgreSQL omits zeros at the end of the fraction.
      const text = `${instant
        .toISOString()
        .slice(0, -1)
        .replace('T', ' ')
        .replace(/\.?0*$/, '')}+00`;
      expect(parseInstant(text)).toEqual(instant);
      expect(parseInstant(text).toISOString()).toBe(instant.toISOString());
    }),
  );
});

it.each([
  '2026-01-31 12:00:00.123456+00',
  '2026-01-31 12:00:00+02',
  '2026-01-31 12:00:00.5+05:30',
  '10000-01-31 12:00:00+00',
])('reads %s as the parser of pg does', (text) => {
  expect(parseInstant(text)).toEqual(parserOfPg(text));
  expect(JSON.stringify(parseInstant(text))).toBe(JSON.stringify(parserOfPg(text)));
});

it.each(['infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00'])(
  'leaves %s to the parser of pg',
  (text) => {
    expect(parseInstant(text)).toEqual(parserOfPg(text));
  },
);

it('reads empty lists of texts, and others', () => {
  const parse = typeParser(1009 as never, 'text');
  expect([parse('{}'), parse('{a,"b c",NULL}')]).toEqual([[], ['a', 'b c', null]]);
});
