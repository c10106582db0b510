import { turnsDuring } from '../testing/turns';
import { SearchBudgetExceeded } from './search-budget';
import { SearchThread } from './regex-worker';

const thread = new SearchThread();

describe('SearchThread', () => {
  it('returns the match, a group, an empty string for a plain test, or null', async () => {
    const found = (pattern: string, group: number | null) => thread.search({ pattern, text: 'Acme 4.2', group });
    expect(await found('([0-9]).([0-9])', 0)).toBe('4.2');
    expect(await found('([0-9]).([0-9])', 2)).toBe('2');
    expect(await found('([0-9]).([0-9])', 3)).toBeNull();
    expect(await found('[0-9]', null)).not.toBeNull();
    expect(await found('x', 0)).toBeNull();
    expect(await found('x', null)).toBeNull();
  });

  it('does not block the event loop', async () => {
    const text = 'ab'.repeat(1_000_000);
    const turns = await turnsDuring(() => thread.search({ pattern: '[a-z]+[0-9]', text, group: 0 }));
    expect(turns).toBeGreaterThan(100);
  });

  it('ends a search that takes too long, and starts a new worker for the next one', async () => {
    const impatient = new SearchThread(1_000);
    const text = 'ab'.repeat(2_000_000);
    const endless = impatient.search({ pattern: '(?:[a-z]+[a-z]+){20}[0-9]', text, group: 0 });
    await expect(endless).rejects.toThrow(SearchBudgetExceeded);
    expect(await impatient.search({ pattern: 'a', text: 'a', group: 0 })).toBe('a');
  });
});
