import { cpuMs } from '../testing/cpu';
import { SearchBudget, SearchBudgetExceeded } from './search-budget';
import { CompilationBudget, LinearRegex } from './linear-regex';

const compiled = (pattern: string): LinearRegex => {
  const result = LinearRegex.compile(pattern, new CompilationBudget());
  if ('refusal' in result) throw new Error(result.refusal);
  return result.expression;
};

describe('LinearRegex', () => {
  it.each(['(a+)+$', '(a|aa)+$', '(a|b|ab)*?(a?){50}c$', '(.*)*x'])(
    '%s is quick on what it does not match',
    async (pattern) => {
      const before = process.cpuUsage();
      await compiled(pattern)
        .find(`${'ab'.repeat(20_000)}!`, new SearchBudget())
        .catch(() => null);
      expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
    },
  );

  it('throws when a search or a probe exceeds its budget, instead of reporting no match', async () => {
    const large = compiled('(a|b|ab)*?(a?){200}c$');
    await expect(large.find('<'.repeat(100_000), new SearchBudget())).rejects.toThrow(SearchBudgetExceeded);
    const budget = new SearchBudget();
    const many = async (): Promise<void> => {
      for (let search = 0; search < 1_000; search += 1) await compiled('b$').find('a'.repeat(1_000_000), budget);
    };
    await expect(many()).rejects.toThrow(SearchBudgetExceeded);
  });

  it.each([
    ['^\\Qa$', 'a$', 'a'],
    ['^\\Qa$\\E$', 'a$', 'a'],
    ['^\\\\Qa$', '\\Qa', '\\Q'],
    ['^(?:a|b)$', 'a', 'ab'],
    ['^a$|^b$', 'b', 'ab'],
  ])('%s matches the same texts without the one-pass program', async (pattern, yes, no) => {
    expect(await compiled(pattern).find(yes, new SearchBudget())).toBe(yes);
    expect(await compiled(pattern).find(no, new SearchBudget())).toBeNull();
  });

  it('compiles an expression that is anchored at both ends as quickly as others', () => {
    const many = Array.from({ length: 450 }, (_, index) => `${String.fromCodePoint(0x4e00 + 2 * index)}?`).join('');
    const oneEnd = cpuMs(() => compiled(`^${many}`));
    // Without the group at its end, searching for a faster program takes more than a hundred times as long.
    expect(cpuMs(() => compiled(`^${many}$`))).toBeLessThan(20 * Math.max(20, oneEnd));
  });
});
