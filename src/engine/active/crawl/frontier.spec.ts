import { Frontier } from './frontier';

const target = { scheme: 'https', host: 'shop.test', port: 443, path: '/' } as const;

describe('the frontier', () => {
  const isInScope = jest.fn(() => true);
  const frontier = new Frontier(target, isInScope);
  const add = (path: string, isGiven = false): string[] => {
    frontier.add({ url: new URL(path, 'https://shop.test'), source: 'link' }, isGiven);
    return frontier.take(10).map(({ request }) => request.path);
  };

  it.each([false, true])('looks no further at an address of 30,000 folders (given: %s)', (isGiven) => {
    isInScope.mockClear();
    expect(add('/a'.repeat(30_000), isGiven)).toEqual([]);
    expect(isInScope).not.toHaveBeenCalled();
  });

  it('refuses folders that repeat, and more than twelve', () => {
    expect(add('/a/b/a/b')).toEqual(['/a/b/a/b']);
    expect(add('/a/b/a/b/a')).toEqual([]);
    expect(add('/1a/2a/3a/4a/5a/6a/7a/8a/9a/10a/11a/12a')).toHaveLength(1);
    expect(add('/1b/2b/3b/4b/5b/6b/7b/8b/9b/10b/11b/12b/13b')).toEqual([]);
  });

  it('takes a long query only of a document that somebody gave', () => {
    const path = `/search?q=${'x'.repeat(1_500)}`;
    expect(add(path)).toEqual([]);
    expect(add(path, true)).toEqual([path]);
  });
});
