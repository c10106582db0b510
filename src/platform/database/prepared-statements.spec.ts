import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PreparedStatements } from './prepared-statements';
import { allOf, raw, sql } from './sql';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('two processes give the same name to the same text, in whichever order they prepare statements', () => {
  const one = sql`SELECT 1 WHERE ${1} = 1`;
  const two = sql`SELECT 2 WHERE ${1} = 1`;
  const [first, second] = [new PreparedStatements(), new PreparedStatements()];
  const names = [first.of(one).name, first.of(two).name];
  expect([second.of(two).name, second.of(one).name]).toEqual(names.toReversed());
  expect(new Set(names).size).toBe(2);
});

it('keeps few of the texts that combinations of filters make', () => {
  const conditions = Array.from({ length: 17 }, (_, at) =>
    raw(`column_${at} = 'a condition of some length' /* ${at} */`),
  );
  const statements = new PreparedStatements();
  const heapAfter = (from: number, to: number): number => {
    for (let chosen = from; chosen < to; chosen++)
      statements.of(sql`SELECT 1 WHERE ${allOf(conditions.map((one, at) => ((chosen >> at) & 1 ? one : undefined)))}`);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const [few, many] = [heapAfter(0, 20_000), heapAfter(20_000, 120_000)];
  expect((many - few) / 1_000_000).toBeLessThan(25);
});
