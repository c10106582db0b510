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

  it('takes 2,000 pages, and is full when more are named', () => {
    const own = new Frontier(target, isInScope);
    const name = (at: number): void =>
      own.add({ url: new URL(`/case${at}?n=1`, 'https://shop.test'), source: 'usual' }, true);
    for (let at = 0; at < 2_000; at += 1) name(at);
    expect(own.isFull).toBe(false);
    name(2_000);
    expect([own.isFull, own.take(3_000).length]).toEqual([true, 2_000]);
  });

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

  it('takes no files, and no sessions of somebody', () => {
    expect(add('/logo.png')).toEqual([]);
    expect(add('/list?PHPSESSID=a1b2&id=2')).toEqual(['/list?id=2']);
    const own = new Frontier(target, isInScope);
    const url = new URL('https://shop.test/list');
    own.add({ url, source: 'openapi', sent: { headers: [['Cookie', 'PHPSESSID=a1b2; theme=dark']] } });
    expect(own.take(1)[0]?.request.headers).toEqual([['Cookie', 'theme=dark']]);
  });

  it('takes a query of GraphQL, and none with a mutation beside it', () => {
    const own = new Frontier(target, isInScope);
    for (const query of ['{ a } mutation { b }', '{ a }'])
      own.add({
        url: new URL('https://shop.test/graphql'),
        source: 'usual',
        sent: { method: 'POST', body: JSON.stringify({ query }) },
      });
    expect(own.take(10).map(({ request }) => request.body)).toEqual(['{"query":"{ a }"}']);
  });

  it('closes no page for what a document says of another method of it', () => {
    const own = new Frontier(target, isInScope);
    const url = new URL('https://shop.test/lists/1');
    own.add({ url, source: 'openapi', sent: { method: 'DELETE' }, described: { texts: ['Deletes the list'] } });
    expect(own.allows({ path: '/lists/1' })).toBe(true);
  });

  it('takes a page of an unknown shape alone, and knows the shape from then on', () => {
    const own = new Frontier(target, isInScope);
    for (const path of ['/enrol/1', '/enrol/2', '/wander/1'])
      own.add({ url: new URL(path, 'https://shop.test'), source: 'link' });
    const taken = [1, 2, 3].map(() => own.take(10).map(({ request, isUnknown }) => [request.path, isUnknown]));
    expect(taken).toEqual([[['/enrol/1', true]], [['/enrol/2', false]], [['/wander/1', true]]]);
  });

  it('takes at most 60 pages of a path, 100 of a folder and 2,000 in all, and lists 2,000 that it leaves out', () => {
    const word = (at: number): string => String(at).replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
    const addAll = (own: Frontier, count: number, named: (word: string) => string): Frontier => {
      for (let at = 0; at < count; at += 1)
        own.add({ url: new URL(named(word(at)), 'https://shop.test'), source: 'usual' });
      return own;
    };
    const own = new Frontier(target, isInScope);
    expect(addAll(own, 70, (name) => `/list?${name}=1`).take(70)).toHaveLength(60);
    expect(addAll(own, 110, (name) => `/list/${name}`).take(110)).toHaveLength(100);
    expect(addAll(own, 2_000, (name) => `/${name}/list`).take(2_000)).toHaveLength(2_000 - 60 - 100);
    const refused = addAll(new Frontier(target, isInScope), 2_010, (name) => `/delete/${name}`);
    expect(refused.takeLeftOut()).toHaveLength(2_000);
  });

  it('takes a long query only of a document that somebody gave', () => {
    const path = `/search?q=${'x'.repeat(1_500)}`;
    expect(add(path)).toEqual([]);
    expect(add(path, true)).toEqual([path]);
  });
});
