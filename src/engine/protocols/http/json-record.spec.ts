import { cpuMs } from '../../testing/cpu';
import { recordIn } from './json-record';

it('parses JSON objects, and returns null for other values', () => {
  expect(recordIn(' {"a": [1]} ')).toEqual({ a: [1] });
  for (const text of ['[]', 'null', '{', '']) expect(recordIn(text)).toBeNull();
});

it('takes little time for hostile input', () => {
  const records = ['['.repeat(5_000_000), `{${Array.from({ length: 400_000 }, (_, at) => `"k${at}":1`).join()}}`];
  expect(cpuMs(() => records.map(recordIn))).toBeLessThan(50);
});
