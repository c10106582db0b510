import { PreparedStatements } from './prepared-statements';
import { sql } from './sql';

it('two processes give the same name to the same text, in whichever order they prepare statements', () => {
  const one = sql`SELECT 1 WHERE ${1} = 1`;
  const two = sql`SELECT 2 WHERE ${1} = 1`;
  const [first, second] = [new PreparedStatements(), new PreparedStatements()];
  const names = [first.of(one).name, first.of(two).name];
  expect([second.of(two).name, second.of(one).name]).toEqual(names.toReversed());
  expect(new Set(names).size).toBe(2);
});
