import { AsyncLocalStorage } from 'node:async_hooks';

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('The storages of a test process', () => {
  it('keep a value for each call, also after it has waited', async () => {
    const storage = new AsyncLocalStorage<string>();
    const valueLater = async (value: string) => storage.run(value, () => later().then(() => storage.getStore()));
    expect(await Promise.all(['one', 'two'].map(valueLater))).toEqual(['one', 'two']);
    expect(storage.getStore()).toBeUndefined();
  });

  it('do not see the values of others', () => {
    const [first, second] = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()];
    const both = () => [first.getStore(), second.getStore()];
    expect(first.run('of the first', () => second.run('of the second', both))).toEqual([
      'of the first',
      'of the second',
    ]);
    expect(first.run('of the first', both)).toEqual(['of the first', undefined]);
  });

  it('leave only their own value at an exit', () => {
    const [first, second] = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()];
    const values = first.run('kept', () =>
      second.run('left', () => second.exit(() => [first.getStore(), second.getStore()])),
    );
    expect(values).toEqual(['kept', undefined]);
  });

  it('have a value for the rest of a call, until they are disabled', async () => {
    const storage = new AsyncLocalStorage<string>();
    await Promise.resolve().then(() => storage.enterWith('the rest'));
    storage.run('outside', () => {
      storage.enterWith('the rest');
      expect(storage.getStore()).toBe('the rest');
      storage.disable();
      expect(storage.getStore()).toBeUndefined();
    });
  });

  it('keep their value in functions that are bound to it', () => {
    const storage = new AsyncLocalStorage<string>();
    const bound = storage.run('bound', () => AsyncLocalStorage.bind(() => storage.getStore()));
    expect(bound()).toBe('bound');
  });
});

it('are one before Node 24, because every promise pays for each', () => {
  const [major] = process.versions.node.split('.');
  expect(Number(major) >= 24 || 'isShared' in AsyncLocalStorage).toBe(true);
});
