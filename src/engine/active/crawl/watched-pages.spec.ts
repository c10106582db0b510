import { activeTests, page, type Router } from '../../testing/active-scans';

const { scan, inventory } = activeTests();

interface Database {
  users: string[];
  orders: string[];
  calls: string[];
}

const initial = (): Database => ({ users: ['anna', 'bert', 'keepme'], orders: ['tea', 'coffee'], calls: [] });

const json = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const list = (rows: readonly string[]): string => page(`<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`);

/** An API whose document lists an operation that creates its database. */
const api =
  (database: Database, name: string): Router =>
  ({ pathname }) => {
    if (pathname === '/openapi.json')
      return json({
        openapi: '3.0.1',
        servers: [{ url: 'http://localhost:5000/' }],
        paths: {
          [name]: { get: { parameters: [{ name: 'q', in: 'query', example: 'a' }] } },
          '/users/v1': { get: {} },
        },
      });
    if (pathname === '/users/v1') return json({ at: Date.now(), users: database.users.map((user) => ({ user })) });
    if (pathname !== name) return pathname === '/' ? json({ message: 'Welcome' }) : null;
    database.calls.push(name);
    database.users = ['anna'];
    return json({ message: 'done' });
  };

/** Pages whose links and forms write. */
const shop =
  (database: Database, links: string): Router =>
  ({ pathname, searchParams }) => {
    const written = searchParams.get('text') ?? searchParams.get('id');
    if (pathname === '/') return page(`<a href="/orders">Orders</a><a href="/item?id=3">Tea</a>${links}`);
    if (pathname === '/orders') return list(database.orders);
    if (pathname === '/item') return page(`[${searchParams.get('id')}]`);
    if (written === null) return null;
    database.calls.push(pathname);
    database.orders.push(written);
    return page('Thank you');
  };

describe('the database of an application is the same before and after an active scan', () => {
  it.each<[string, (database: Database) => Router]>([
    ['an API that lists what creates it', (database) => api(database, '/createdb')],
    [
      'a shop with links that order, in several languages',
      (database) =>
        shop(
          database,
          ['order', 'bestellen', 'anadir', 'add_comment.php', 'supprimer', 'vote']
            .map((name) => `<a href="/${name}?id=1">x</a>`)
            .join(''),
        ),
    ],
    [
      'a guest book with forms whose buttons send',
      (database) =>
        shop(
          database,
          `<form action="/book"><input name=text><button>Send</button></form>
           <form action="/wall"><input name=text><input type=submit value="Save this"></form>
           <form action="/book" method=post><input name=text><button>Go</button></form>`,
        ),
    ],
  ])('of %s', async (_name, site) => {
    const database = initial();
    const result = await scan(site(database));
    expect(database).toEqual(initial());
    expect(result.tested).toBeGreaterThan(0);
    expect([...inventory().leftOut.keys()].length).toBeGreaterThan(0);
  });
});

describe('a request whose words are unknown', () => {
  it('is sent once, and never again after a page has lost rows', async () => {
    const database = initial();
    await scan(api(database, '/frobnicate'));
    expect(database.calls).toEqual(['/frobnicate']);
    const note = 'after GET /frobnicate?q=a, /users/v1 shows 2 rows fewer';
    expect(inventory().notes).toContain(note);
    expect([...inventory().leftOut.values()].find(({ path }) => path.startsWith('/frob'))?.leftOut).toMatchObject({
      by: 'observed',
      reason: note,
      isAllowable: true,
    });
    expect([...inventory().points.keys()].filter((key) => key.includes('frob'))).toEqual([]);
    const kept = inventory();
    kept.beginJob();
    await scan(api(database, '/frobnicate'), { inventory: kept });
    expect(database.calls).toEqual(['/frobnicate']);
  });

  it('is watched again after an admin has allowed it, and sent no second time if rows are lost again', async () => {
    const database = initial();
    await scan(api(database, '/frobnicate'));
    const kept = inventory();
    const stated = () => ({ allowed: ['/frobnicate?q=a'], forbidden: [] });
    kept.beginJob();
    await scan(api(database, '/frobnicate'), { inventory: kept, stated });
    // The second call changed nothing.
    expect(database.calls.length).toBeGreaterThan(2);
    expect([...kept.points.keys()].filter((key) => key.includes('frob'))).not.toEqual([]);
    const sent = database.calls.length;
    database.users = initial().users;
    kept.beginJob();
    await scan(api(database, '/frobnicate'), { inventory: kept, stated });
    expect(database.calls).toHaveLength(sent + 1);
  });

  it('is sent once, and never again after a page has new rows', async () => {
    const database = initial();
    await scan(shop(database, '<a href="/frob?id=1">x</a>'));
    expect(database.calls).toEqual(['/frob']);
    expect(inventory().notes).toEqual(['after GET /frob?id=1, /orders shows 1 row more']);
  });

  it('has points when nothing changes, also where pages show times and counters', async () => {
    let visits = 0;
    const site: Router = ({ pathname, searchParams }) => {
      visits += 1;
      const moving = `<p>${visits} visits, ${new Date().toISOString()}</p><p>token ${Math.random().toString(36)}</p>`;
      if (pathname === '/') return page(`${moving}<a href="/frob?id=1">x</a><a href="/orders">x</a>`);
      return pathname === '/frob' || pathname === '/orders' ? page(`${moving}${searchParams.get('id')}`) : null;
    };
    await scan(site);
    expect(inventory().notes).toEqual([]);
    expect([...inventory().points.keys()]).toContain('GET /frob query id');
  });

  it('is not judged by a page that changes by itself', async () => {
    const log: string[] = [];
    const site: Router = ({ pathname, searchParams }) => {
      log.push('entry');
      if (pathname === '/') return page('<a href="/frob?id=1">x</a><a href="/visits">x</a>');
      if (pathname === '/visits') return list(log);
      return pathname === '/frob' ? page(`[${searchParams.get('id')}]`) : null;
    };
    await scan(site);
    expect(inventory().notes).toEqual([]);
    expect([...inventory().points.keys()]).toContain('GET /frob query id');
  });
});
