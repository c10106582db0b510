import { Frontier } from './frontier';

const target = { scheme: 'https', host: 'shop.test', port: 443, path: '/' } as const;

describe('the frontier', () => {
  const frontier = new Frontier(target, () => true);
  const add = (path: string, isGiven = false): string[] => {
    frontier.add({ url: new URL(path, 'https://shop.test'), source: 'link' }, isGiven);
    return frontier.take(10).map(({ request }) => request.path);
  };

  it('refuses in no time addresses of ten thousands of folders, also of a document that somebody gave', () => {
    const before = performance.now();
    for (let at = 0; at < 40; at++) expect(add(`/${at}${'/a'.repeat(30_000)}`, at % 2 === 0)).toEqual([]);
    expect(performance.now() - before).toBeLessThan(10_000);
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
