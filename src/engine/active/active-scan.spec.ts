import { activeTests, calculated, page } from '../testing/active-scans';

const { scan, inventory, requested } = activeTests();

const found = (): string[] =>
  inventory()
    .results.flatMap(({ sighting }) => (sighting === null ? [] : [sighting.location.replace(/:\d+/, '')]))
    .sort();

describe('an active scan', () => {
  it('finds weak parameters of links and of GET forms', async () => {
    const result = await scan(({ pathname, searchParams }) => {
      if (pathname === '/')
        return page(`<a href="/item?id=3">An item</a>
          <form action="/search"><input name="q"><select name="in"><option value="all">All<option>Names</select>
          <button name="go" value="Find">Find</button></form>`);
      if (pathname === '/item') return page(calculated(searchParams.get('id')));
      if (pathname === '/search')
        return page(searchParams.get('go') === 'Find' ? calculated(searchParams.get('q')) : '');
      return null;
    });
    expect(result).toMatchObject({ end: 'complete', reason: null });
    expect(found()).toEqual(['http://target.test/item?id', 'http://target.test/search?q']);
    expect(requested()).toContain('/search?q=test&in=all&go=Find');
    expect(result.tested).toBe(result.points);
  });
});
