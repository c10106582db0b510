import { turnsDuring } from '../testing/turns';
import { SearchBudget, SearchBudgetExceeded } from './search-budget';
import { includes, toLowerCase } from './word-search';

describe('word search', () => {
  it('finds a word like String.includes', async () => {
    const letters = ['a', 'b', 'é'];
    const made = (length: number, seed: number): string =>
      Array.from({ length }, (_, at) => letters[Math.floor((seed * (at + 3)) / 7) % (1 + (seed % 3))]).join('');
    for (let seed = 1; seed < 500; seed += 1) {
      const [text, word] = [made(seed % 60, seed), made(1 + (seed % 5), seed * 31)];
      expect([text, word, await includes(text, word, new SearchBudget())]).toEqual([text, word, text.includes(word)]);
    }
  });

  it('finds a word across two chunks of the text', async () => {
    const text = `${'a'.repeat(199_998)}needle${'a'.repeat(600_000)}`;
    expect(await includes(text, 'needle', new SearchBudget())).toBe(true);
    expect(await includes(text, 'needles', new SearchBudget())).toBe(false);
  });

  it('takes linear time for repeated partial matches, and yields to the event loop', async () => {
    const text = 'a'.repeat(4_900_000);
    const before = process.cpuUsage();
    const turns = await turnsDuring(async () => {
      for (let at = 0; at < 10; at += 1) {
        const word = `${'a'.repeat(490 + at)}b${'a'.repeat(509 - at)}`;
        expect(await includes(text, word, new SearchBudget())).toBe(false);
      }
    });
    const { user, system } = process.cpuUsage(before);
    expect(turns).toBeGreaterThan(90);
    expect((user + system) / 1_000).toBeLessThan(20_000);
  });

  it('spends the search budget of the probe', async () => {
    const budget = new SearchBudget();
    for (let look = 0; look < 9; look += 1) budget.spend(20_000_000);
    const many = async (): Promise<void> => {
      for (let word = 0; word < 1_000; word += 1) await includes('a'.repeat(2_000_000), 'b', budget);
    };
    await expect(many()).rejects.toThrow(SearchBudgetExceeded);
  });

  it('converts a text to lower case in chunks', async () => {
    const text = 'AÉ'.repeat(600_000);
    expect(await toLowerCase(text, new SearchBudget())).toBe(text.toLowerCase());
    expect(await turnsDuring(() => toLowerCase(text, new SearchBudget()))).toBeGreaterThan(2);
  });
});
