import { observeApplication, pageWith } from '../testing/simulated-point';
import { sqlInjectionOracle } from './sql-injection';

const isBare = (sent: string): boolean => sent.startsWith("a' AND ");

/** A statement with `IN ('a', 'b')`, or with `= 'a'`, of a database that fails with any other syntax. */
const application = (isList: boolean) => (value: string) => {
  if (value === 'a' || (isList && value === "a','a")) return pageWith('one a and b');
  return value.includes("'") ? { ...pageWith('an error'), status: 500 } : pageWith('only b');
};

it.each([
  ['at the beginning of a list: MySQL and SQLite would compare the others with 0 or 1', true],
  ['at a single value', false],
])('writes no condition without parentheses %s, unless it is none', async (_name, isList) => {
  const { values } = await observeApplication(sqlInjectionOracle, application(isList), { value: 'a' });
  expect(values).toContain("a','a");
  expect(values.some(isBare)).toBe(!isList);
});
