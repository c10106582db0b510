import { observeApplication, pageWith } from '../testing/simulated-point';
import { sqlInjectionOracle } from './sql-injection';

const isBare = (sent: string): boolean => sent.startsWith("a' AND ");

/** A statement with `IN ('a', 'b')`, or with `= 'a'`, of a database that fails with any other syntax. */
const application = (isList: boolean) => (value: string) => {
  if (value === 'a' || (isList && value === "a','a")) return pageWith('one a and b');
  return value.includes("'") ? { ...pageWith('an error'), status: 500 } : pageWith('only b');
};

it('writes no condition without parentheses where none may stand behind the value, such as in a list', async () => {
  for (const isList of [true, false]) {
    const { values } = await observeApplication(sqlInjectionOracle, application(isList), { value: 'a' });
    expect(values.some((sent) => sent.startsWith("a' HAVING "))).toBe(!isList);
    expect(values.some(isBare)).toBe(false);
  }
});
