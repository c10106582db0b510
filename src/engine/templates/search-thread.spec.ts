import { turnsDuring } from '../testing/turns';
import { SearchBudgetExceeded } from './search-budget';
import { SearchThread } from './search-thread';

const thread = new SearchThread();

/** A thread whose program answers each search with the value of this JavaScript expression. */
const threadWith = (expression: string): SearchThread =>
  new SearchThread(
    10_000,
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ text }) => parentPort.postMessage(${expression}));
    parentPort.postMessage('ready');`,
  );

describe('SearchThread', () => {
  it('returns the match, a group, an empty string if no group is requested, or null', async () => {
    const found = (pattern: string, group: number | null) => thread.search({ pattern, text: 'Acme 4.2', group });
    expect(await found('([0-9]).([0-9])', 0)).toBe('4.2');
    expect(await found('([0-9]).([0-9])', 2)).toBe('2');
    expect(await found('([0-9]).([0-9])', 3)).toBeNull();
    expect(await found('[0-9]', null)).toBe('');
    expect(await found('x', 0)).toBeNull();
    expect(await found('x', null)).toBeNull();
  });

  it('does not block the event loop', async () => {
    const text = 'ab'.repeat(1_000_000);
    const turns = await turnsDuring(() => thread.search({ pattern: '[a-z]+[0-9]', text, group: 0 }));
    expect(turns).toBeGreaterThan(100);
  });

  it('ends a search that takes too long, and starts a new thread for the next one', async () => {
    const withShortTimeout = new SearchThread(1_000);
    const text = 'ab'.repeat(2_000_000);
    const slow = withShortTimeout.search({ pattern: '(?:[a-z]+[a-z]+){20}[0-9]', text, group: 0 });
    await expect(slow).rejects.toThrow(SearchBudgetExceeded);
    expect(await withShortTimeout.search({ pattern: 'a', text: 'a', group: 0 })).toBe('a');
  });

  it.each([
    ['memory', 'eval("const all = []; for (;;) all.push(Array(10000).fill(1.5));")'],
    ['stack', '(function recurse() { return 1 + recurse(); })()'],
  ])('ends a search that exceeds its limit of %s', async (_limit, expression) => {
    const search = threadWith(expression).search({ pattern: '', text: '', group: 0 });
    await expect(search).rejects.toThrow(SearchBudgetExceeded);
  });

  it('reports other errors as they are, and starts a new thread for the next search', async () => {
    const invalid = thread.search({ pattern: '(', text: '', group: 0 });
    await expect(invalid).rejects.toThrow('error parsing regexp');
    expect(await thread.search({ pattern: 'a', text: 'a', group: 0 })).toBe('a');
  });

  it('has no environment variables', async () => {
    const names = await threadWith('Object.keys(process.env).join()').search({ pattern: '', text: '', group: 0 });
    expect(process.env['PATH']).toBeTruthy();
    expect(names).toBe('');
  });
});
