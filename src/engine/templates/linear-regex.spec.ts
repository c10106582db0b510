import { cpuMs } from '../testing/cpu';
import { Effort, TooMuchToSearch } from './search-budget';
import { CompilingEffort, LinearRegex } from './linear-regex';

const compiled = (pattern: string): LinearRegex => {
  const regex = LinearRegex.compile(pattern, new CompilingEffort());
  if (typeof regex === 'string') throw new Error(regex);
  return regex;
};

describe('LinearRegex', () => {
  it.each(['(a+)+$', '(a|aa)+$', '(a|b|ab)*?(a?){50}c$', '(.*)*x'])(
    '%s is quick on what it does not match',
    async (pattern) => {
      const before = Date.now();
      await compiled(pattern)
        .find(`${'ab'.repeat(20_000)}!`, new Effort())
        .catch(() => null);
      expect(Date.now() - before).toBeLessThan(1_000);
    },
  );

  it('gives up on more than a search, or a look, may cost, and never answers no instead', async () => {
    const large = compiled('(a|b|ab)*?(a?){200}c$');
    await expect(large.find('<'.repeat(100_000), new Effort())).rejects.toThrow(TooMuchToSearch);
    const effort = new Effort();
    const many = async (): Promise<void> => {
      for (let search = 0; search < 1_000; search += 1) await compiled('b$').find('a'.repeat(1_000_000), effort);
    };
    await expect(many()).rejects.toThrow(TooMuchToSearch);
  });

  it.each([
    ['^\\Qa$', 'a$', 'a'],
    ['^\\Qa$\\E$', 'a$', 'a'],
    ['^\\\\Qa$', '\\Qa', '\\Q'],
    ['^(?:a|b)$', 'a', 'ab'],
    ['^a$|^b$', 'b', 'ab'],
  ])('%s means the same, spared the search for a faster program', async (pattern, yes, no) => {
    expect(await compiled(pattern).find(yes, new Effort())).toBe(yes);
    expect(await compiled(pattern).find(no, new Effort())).toBeNull();
  });

  it('what is tied to both ends of the text is compiled as quickly as the rest', () => {
    const many = Array.from({ length: 450 }, (_, index) => `${String.fromCodePoint(0x4e00 + 2 * index)}?`).join('');
    expect(cpuMs(() => compiled(`^${many}$`))).toBeLessThan(100);
  });
});
