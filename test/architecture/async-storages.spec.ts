import { AsyncLocalStorage } from 'node:async_hooks';

/** What Jest does before each test file. */
const beginTestFile = () => jest.isolateModules(() => require('../support/disable-async-storages.cjs'));

describe('The storages of a test file', () => {
  it('are disabled before the next file begins', () => {
    const storage = new AsyncLocalStorage<string>();
    storage.enterWith('of this file');
    expect(storage.getStore()).toBe('of this file');

    beginTestFile();

    expect(storage.getStore()).toBeUndefined();
  });

  it('work until then', () => {
    const storage = new AsyncLocalStorage<string>();
    beginTestFile();
    expect(storage.run('of the next file', () => storage.getStore())).toBe('of the next file');
  });
});
