import { Effort, LinearRegex, TooMuchToSearch } from './linear-regex';

const compiled = (pattern: string): LinearRegex => {
  const regex = LinearRegex.compile(pattern);
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
});
