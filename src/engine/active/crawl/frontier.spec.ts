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

  it('takes no page that a rule has closed since it was found', () => {
    const closing = new Frontier(target, isInScope);
    for (const path of ['/list', '/list/open', '/other'])
      closing.add({ url: new URL(path, 'https://shop.test'), source: 'usual' });
    closing.close({ request: { path: '/list' }, source: 'usual' }, 'rows are gone');
    expect(closing.take(10).map(({ request }) => request.path)).toEqual(['/list/open', '/other']);
    expect(closing.takeLeftOut().map(({ path, leftOut }) => [path, leftOut?.reason])).toEqual([
      ['/list', 'rows are gone'],
    ]);
  });

  it.each(['https://other.test/', 'http://shop.test/', 'https://shop.test:8443/', 'https://user:pass@shop.test/'])(
    'takes nothing from %s, which is another origin or names a user',
    (address) => {
      const own = new Frontier(target, isInScope);
      own.add({ url: new URL(address), source: 'usual' }, true);
      expect(own.take(10)).toEqual([]);
    },
  );

  it('refuses folders that repeat, and more than twelve', () => {
    expect(add('/a/b/a/b')).toEqual(['/a/b/a/b']);
    expect(add('/a/b/a/b/a')).toEqual([]);
    expect(add('/1a/2a/3a/4a/5a/6a/7a/8a/9a/10a/11a/12a')).toHaveLength(1);
    expect(add('/1b/2b/3b/4b/5b/6b/7b/8b/9b/10b/11b/12b/13b')).toEqual([]);
  });

  it('requests what an admin allows, by its words, and nothing that deletes, creates or resets', () => {
    const stated = () => ({
      allowed: ['/transfer/7?to=1', '/x?action=send', '/users/delete', '/demo'],
      forbidden: ['/news', '/lists/1?by=name'],
    });
    const decided = new Frontier(target, isInScope, stated);
    decided.add({
      url: new URL('https://shop.test/demo'),
      source: 'openapi',
      described: { texts: ['Resets the database'] },
    });
    const paths = [
      '/transfer/9?to=2',
      '/x?action=send',
      '/x?action=update',
      '/users/delete',
      '/demo',
      '/news',
      '/lists/5?by=name',
      '/lists/5?by=age',
    ];
    const allows = paths.filter((path) => decided.allows({ path }));
    expect(allows).toEqual(['/transfer/9?to=2', '/x?action=send', '/lists/5?by=age']);
    expect(decided.allows({ path: '/transfer/9?to=2', method: 'POST' })).toBe(false);
  });

  it('leaves out what a parameter makes a request of another method, whatever an admin allows', () => {
    const paths = ['/a?_method=PUT', '/a?x=%&%5Fmethod=delete', '/a?X-HTTP-Method-Override=PATCH', '/a?_method=get'];
    const stated = () => ({ allowed: paths, forbidden: [] });
    const one = new Frontier(target, isInScope, stated);
    expect(paths.filter((path) => one.allows({ path }))).toEqual(['/a?_method=get']);
    one.add({ url: new URL('https://shop.test/a?_method=PUT'), source: 'link' });
    expect(one.takeLeftOut()).toEqual([
      expect.objectContaining({ leftOut: expect.objectContaining({ by: 'method', reason: '_method=PUT' }) }),
    ]);
  });

  it('counts similar addresses in one entry, and names the rule of the others', () => {
    const many = new Frontier(target, ({ path }) => path !== '/private');
    const paths = [...Array.from({ length: 9 }, (_none, at) => `/item?id=${at}`), '/private', '/pay'];
    for (const path of paths) many.add({ url: new URL(path, 'https://shop.test'), source: 'link' });
    expect(many.takeLeftOut().map(({ path, leftOut }) => [path, leftOut?.by, leftOut?.count])).toEqual([
      ['/item?id=8', 'similar', 4],
      ['/private', 'scope', 1],
      ['/pay', 'word', 1],
    ]);
    expect(many.takeLeftOut()).toEqual([]);
  });

  it('takes a long query only of a document that somebody gave', () => {
    const path = `/search?q=${'x'.repeat(1_500)}`;
    expect(add(path)).toEqual([]);
    expect(add(path, true)).toEqual([path]);
  });
});
