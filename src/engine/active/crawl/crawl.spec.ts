import { activeTests, page, type Router } from '../../testing/active-scans';

const { scan, inventory, requested, testTarget } = activeTests();

const crawl = (site: Router, request: Parameters<typeof scan>[1] = {}): ReturnType<typeof scan> =>
  scan(site, { checks: [], ...request });

const keys = (): string[] => [...inventory().points.keys()].filter((key) => !key.includes(' header ')).sort();
const json = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const hostile = { limits: { ms: 60_000, requests: 100_000 } };

describe('the crawl finds', () => {
  it('links, frames, meta refresh, redirects and a base', async () => {
    await crawl(({ pathname }) => {
      if (pathname === '/')
        return page(`<base href="/in/"><a href="a?x=1#top">A</a><iframe src="/frame?y=1"></iframe><a href="/moved">M</a>
          <meta http-equiv="refresh" content="0; url=/late?z=1"><!-- <a href="/comment?c=1"> --><div hx-get="/part?h=1"><constructor>`);
      return pathname === '/moved' ? { status: 302, headers: { location: '/there?w=1' } } : page(pathname);
    });
    expect(keys()).toEqual([
      'GET /frame query y',
      'GET /in/a query x',
      'GET /late query z',
      'GET /part query h',
      'GET /there query w',
    ]);
  });

  it('GET forms with the values that a visitor would send', async () => {
    await crawl(({ pathname }) =>
      pathname === '/'
        ? page(`<form action="/find"><input type=hidden name=t value=7><input type=number name=n><input type=constructor name=z><input type=email name=m>
          <input type=radio name=r value=1><input type=radio name=r value=2 checked><input type=checkbox name=c>
          <textarea name=x>text</textarea><input type=file name=f><input disabled name=d value=1>
          <button name=b value=1>Go</button><button name=b2 value=2>Other</button></form>
          <table><form action="/in-table"><tr><td><input name=k></td></tr></form></table>
          <form method=post action="/post"><input name=p></form>`)
        : page(''),
    );
    expect(requested()).toContain('/find?t=7&n=1&z=test&m=visitor%40example.com&r=1&c=on&x=text&b=1');
    expect(requested()).toContain('/in-table?k=test');
    expect(requested().filter((path) => path.startsWith('/post'))).toEqual([]);
  });

  it('links and their labels far down a long page, and no form there, whose rest may be cut off', async () => {
    const rows = Array.from({ length: 4_000 }, (_, row) => `<tr><td>${row}</td></tr>`);
    rows[2_000] = '<tr><td><a href="/late?n=1">Late</a> <a href="/gone?n=1"><b>Delete</b></a></td></tr>';
    rows[2_001] = '<tr><td><form action="/late-form"><input name=f></form></td></tr>';
    await crawl(({ pathname }) => page(pathname === '/' ? `<table>${rows.join('')}</table>` : ''));
    expect(requested()).toContain('/late?n=1');
    expect(requested().filter((path) => /gone|late-form/.test(path))).toEqual([]);
  });

  it('robots.txt, sitemaps, scripts and source maps', async () => {
    await crawl(({ pathname }) => {
      if (pathname === '/') return page('<script src="/app.js"></script><script>fetch("/inline?i=1")</script>');
      if (pathname === '/robots.txt')
        return { headers: { 'content-type': 'text/plain' }, body: 'Disallow: /hidden?r=1\nSitemap: /map.xml' };
      if (pathname === '/map.xml')
        return { headers: { 'content-type': 'text/xml' }, body: '<urlset><url><loc>/mapped?s=1</loc></url></urlset>' };
      if (pathname === '/app.js')
        return {
          headers: { 'content-type': 'text/javascript' },
          body: 'get(`/api/items/${id}/parts?q=${q}`); x("legacy/list.php?l=1")\n//# sourceMappingURL=app.js.map',
        };
      if (pathname === '/app.js.map') return json({ sourcesContent: ['route("/from-map?m=1")'] });
      return /hidden|mapped|inline|api|legacy|from-map/.test(pathname) ? page(pathname) : null;
    });
    expect(keys()).toEqual([
      'GET /api/items/*/parts query q',
      'GET /api/items/*/parts segment 3',
      'GET /from-map query m',
      'GET /hidden query r',
      'GET /inline query i',
      'GET /legacy/list.php query l',
      'GET /mapped query s',
    ]);
  });

  it.each([
    [
      'OpenAPI 3',
      {
        openapi: '3.0.1',
        servers: [{ url: '/v1' }],
        components: { parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer' } } } },
        paths: {
          '/users/{name}': {
            parameters: [{ name: 'name', in: 'path', schema: { type: 'string', example: 'anna' } }],
            get: {
              parameters: [{ $ref: '#/components/parameters/Limit' }, { name: 'X-Tenant', in: 'header', example: 'a' }],
            },
            delete: { parameters: [{ name: 'why', in: 'query' }] },
          },
          '/users/{name}/delete': { get: { parameters: [{ name: 'force', in: 'query' }] } },
        },
      },
    ],
    [
      'Swagger 2',
      {
        swagger: '2.0',
        basePath: '/v1',
        paths: {
          '/users/{name}': {
            get: {
              parameters: [
                { name: 'name', in: 'path', type: 'string', default: 'anna' },
                { name: 'limit', in: 'query', type: 'integer' },
                { name: 'X-Tenant', in: 'header', type: 'string', default: 'a' },
              ],
            },
          },
        },
      },
    ],
  ])('the reading operations of %s', async (_name, document) => {
    await crawl(({ pathname }) =>
      pathname === '/openapi.json' ? json(document) : pathname.startsWith('/v1') ? json({}) : null,
    );
    expect(requested()).toContain('/v1/users/anna?limit=1');
    expect(keys()).toEqual(['GET /v1/users/* segment 3', 'GET /v1/users/anna query limit']);
    expect([...inventory().points.keys()]).toContain('GET /v1/users/anna header X-Tenant');
    expect(requested().filter((path) => /delete|why/.test(path))).toEqual([]);
  });

  it('the operations on its own origin, where the server of a document is another one, and says so', async () => {
    const get = { get: { parameters: [{ name: 'q', in: 'query', example: 'a' }] } };
    const document = { openapi: '3.0.1', servers: [{ url: 'https://api.example.com/v2' }], paths: { '/users': get } };
    await crawl(({ pathname }) => (pathname === '/openapi.json' ? json(document) : json({})));
    expect(requested()).toContain('/v2/users?q=a');
    expect(inventory().notes.join()).toMatch(
      /^\/openapi\.json describes an API at https:\/\/api\.example\.com; its paths were requested at http:/,
    );
    const own = { url: '/v1' };
    await crawl(({ pathname }) =>
      pathname === '/openapi.json' ? json({ ...document, servers: [...document.servers, own] }) : json({}),
    );
    expect(requested()).toContain('/v1/users?q=a');
    expect(inventory().notes).toEqual([]);
  });

  it('headers and cookies only of pages that are built alike when they are read again', async () => {
    let read = 0;
    await crawl(({ pathname }) => {
      if (pathname === '/') return page('<a href="/steady">x</a><a href="/moving">x</a>');
      if (pathname === '/steady') return page(`<p>${Math.random()}</p>`);
      if (pathname !== '/moving') return null;
      read += 1;
      return page(
        `<h${(read % 5) + 1} class="a${read}">x</h1><div id="b${read}"><i class="c${read}">y</i></div>`.repeat(3),
      );
    });
    const headers = [...inventory().points.keys()].filter((key) => key.includes(' header '));
    expect(headers).toContain('GET /steady header Referer');
    expect(headers.filter((key) => key.includes('moving'))).toEqual([]);
  });

  it('a point for each script with a number, and one for pages whose numbers choose a record', async () => {
    const names = Array.from({ length: 32 }, (_none, at) => `Case${String(at + 1).padStart(2, '0')}-Tag2HtmlScope.jsp`);
    await crawl(({ pathname }) => {
      if (pathname !== '/') return page(`<h1>A case</h1><p>${pathname}</p>`);
      return page(
        [...names, 'sqli_1.php', 'sqli_16.php', ...[1, 2, 3].map((at) => `items/${at}`)]
          .map((name) => `<a href="/${name}?input=a">x</a>`)
          .join(''),
      );
    });
    const found = keys().filter((key) => key.endsWith('query input'));
    expect(found).toEqual([...names, 'items/*', 'sqli_1.php', 'sqli_16.php'].map((name) => `GET /${name} query input`));
  });

  it('a point for each of two pages of one shape that are built differently', async () => {
    await crawl(({ pathname }) => {
      if (pathname === '/') return page([1, 2, 3].map((at) => `<a href="/page/${at}?q=a">x</a>`).join(''));
      return pathname === '/page/2'
        ? page('<table class="wide"><tr><td>a</td></tr></table><form class="f"><input id="i"></form>')
        : page('<h1>x</h1><p>y</p>');
    });
    expect(keys().filter((key) => key.endsWith('query q'))).toEqual(['GET /page/* query q', 'GET /page/2 query q']);
  });

  it('one page among equal answers to paths that do not exist, and requests the paths from imports last', async () => {
    const seeds = [{ path: '/asked?a=1' }];
    const imported = ['/imported?i=1', '/gone?b=1', '/lost?c=1', '/away?d=1'].map((path) => ({ path }));
    await crawl(
      ({ pathname }) =>
        pathname === '/' ? page('<a href="/items?z=1">x</a>') : pathname.startsWith('/i') ? page('x') : null,
      {
        seeds,
        imported,
      },
    );
    expect(keys()).toEqual(['GET /asked query a', 'GET /gone query b', 'GET /imported query i', 'GET /items query z']);
    expect(requested().indexOf('/imported?i=1')).toBeGreaterThan(requested().indexOf('/items?z=1'));
    expect(inventory().pages.filter(({ shape }) => shape === 'missing').length).toBe(2);
  });

  it('the queries of a GraphQL schema, and none of its mutations', async () => {
    const bodies: string[] = [];
    const named = (name: string, kind = 'SCALAR') => ({ kind, name, ofType: null });
    const schema = {
      queryType: { name: 'Query' },
      types: [
        {
          name: 'Query',
          fields: [
            {
              name: 'user',
              args: [{ name: 'name', type: { kind: 'NON_NULL', name: null, ofType: named('String') } }],
              type: named('User', 'OBJECT'),
            },
            {
              name: 'byInput',
              args: [{ name: 'in', type: { kind: 'NON_NULL', ofType: named('In', 'INPUT_OBJECT') } }],
              type: named('String'),
            },
            { name: 'deleteUser', args: [{ name: 'id', type: named('ID') }], type: named('String') },
          ],
        },
        {
          name: 'Mutation',
          fields: [{ name: 'addUser', args: [{ name: 'name', type: named('String') }], type: named('ID') }],
        },
        {
          name: 'User',
          fields: [
            { name: 'mail', args: [], type: named('String') },
            { name: 'friends', args: [], type: named('User', 'OBJECT') },
          ],
        },
      ],
    };
    testTarget().server.disturb = (request, response) => {
      if (request.method !== 'POST') return false;
      let body = '';
      request
        .on('data', (part) => (body += part))
        .on('end', () => {
          bodies.push(body);
          const isSchema = body.includes('__schema');
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ data: isSchema ? { __schema: schema } : {} }));
        });
      return true;
    };
    await crawl(() => null, { isInScope: ({ path }) => !path.startsWith('/api') });
    expect(keys()).toEqual(['POST /graphql graphql user_name']);
    expect(bodies.slice(1)).toEqual([
      '{"query":"query($user_name:String!){user(name:$user_name){__typename mail}}","variables":{"user_name":"test"}}',
    ]);
  });

  it('values in paths whose last part has several names', async () => {
    await crawl(({ pathname }) =>
      pathname === '/' ? page(['ada', 'bob', 'eve'].map((one) => `<a href="/user/${one}">`).join('')) : page(pathname),
    );
    expect(keys()).toEqual(['GET /user/* segment 2']);
  });

  it('cookies that the site sets, and no sessions', async () => {
    await crawl(() => ({ headers: { 'set-cookie': ['theme=dark; Path=/', 'sid=1'] }, body: page('') }));
    expect(keys()).toEqual(['GET / cookie theme']);
  });

  it('seeds, whatever their shape', async () => {
    const seeds = Array.from({ length: 20 }, (_none, at) => ({ path: `/case?n=${at}` }));
    await crawl(() => page(''), {
      seeds: [
        ...seeds,
        { path: '/logout?a=1' },
        { method: 'DELETE', path: '/x?a=1' },
        { method: 'POST', path: '/graphql', body: '{"query":"mutation { a }"}' },
      ],
    });
    expect(new Set(requested().filter((path) => path.startsWith('/case'))).size).toBe(20);
    expect(requested().filter((path) => /logout|\/x|^\/graphql$/.test(path)).length).toBe(1);
    expect(keys()).toEqual(['GET /case query n']);
  });
});

describe('the crawl leaves alone', () => {
  it('what may change something, by address and by label', async () => {
    await crawl(() =>
      page(`<a href="/logout">Bye</a><a href="/konto/loeschen?id=1">x</a><a href="/do-it?id=1">Delete this</a>
        <a href="/usun?id=1">x</a><form action="/go"><input name=a><button>Jetzt kaufen</button></form>
        <form id=contact action="/mail"><input name=to><button name=ok>Send now</button></form><a href="/edit_post.php?id=1">x</a>`),
    );
    expect(requested().filter((path) => /logout|loeschen|do-it|usun|go|mail|edit/.test(path))).toEqual([]);
  });

  it('headers of a document that name another host, client, job, session, method or path', async () => {
    const inHeader = (name: string) => ({ name, in: 'header', example: 'victim.test' });
    const forged = `Host User-Agent From X-Assay-Job X-Forwarded-For Forwarded Connection Via True-Client-IP
      CF-Connecting-IP X-Client-IP X-Cluster-Client-IP Fastly-Client-IP X-Original-Forwarded-For X-Originating-IP
      X-HTTP-Method-Override X-HTTP-Method X-Method-Override X-Original-URL X-Rewrite-URL`.split(/\s+/);
    const parameters = [...[...forged, 'X-Tenant'].map(inHeader), { name: 'session', in: 'cookie', example: 'theirs' }];
    const document = { openapi: '3.0.1', paths: { '/hosts': { get: { parameters } } } };
    const heard: string[] = [];
    await crawl((url, { headers }) => {
      if (url.pathname === '/hosts') heard.push(JSON.stringify(headers));
      return url.pathname === '/openapi.json' ? json(document) : json({});
    });
    expect(heard.length).toBeGreaterThan(0);
    for (const headers of heard) {
      expect(headers).toContain('"x-tenant":"victim.test"');
      expect(headers.match(/victim\.test|theirs/g)).toHaveLength(1);
    }
  });

  it('operations that create or reset something, by all that the document says of them', async () => {
    const get = (more: object) => ({ get: { parameters: [{ name: 'q', in: 'query', example: 'a' }], ...more } });
    const document = {
      openapi: '3.0.1',
      paths: {
        '/createdb': get({}),
        '/fill': get({ summary: 'Creates and populates the database with dummy data' }),
        '/start': get({ tags: ['db-init'] }),
        '/demo': get({ operationId: 'populate_db' }),
        '/tables': get({ description: `Tables of the shop. Resets the tables. ${'More of it. '.repeat(200)}` }),
        '/users/{id}': { summary: 'Deletes a user', ...get({}) },
        '/orders': get({ operationId: 'getOrders', tags: ['Order'], summary: 'Lists orders' }),
      },
    };
    await crawl(({ pathname }) =>
      pathname === '/openapi.json'
        ? json(document)
        : pathname === '/'
          ? page('<a href="/more">b</a>')
          : pathname === '/more'
            ? page('<a href="/tables?q=c">a</a>')
            : json({}),
    );
    expect(requested().filter((path) => /createdb|fill|start|demo|tables|users/.test(path))).toEqual([]);
    expect(requested()).toContain('/orders?q=a');
  });

  it('other origins, also of forms and redirects, and what is out of scope', async () => {
    const other = await import('node:http').then(({ createServer }) => createServer());
    let foreign = 0;
    other.on('request', (_request, response) => {
      foreign += 1;
      response.end();
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const elsewhere = `http://target.test:${port}`;
    await crawl(
      ({ pathname }) =>
        pathname === '/away'
          ? { status: 302, headers: { location: `${elsewhere}/x?a=1` } }
          : page(`<a href="${elsewhere}/y?a=1">x</a><form action="${elsewhere}/z"><input name=q></form><a href="/away">x</a>
              <a href="/private/x?a=1">x</a><a href="//other.test/?a=1">x</a><a href="http://me:me@target.test/?a=1">x</a>`),
      { isInScope: ({ path }) => !path.startsWith('/private') },
    );
    other.close();
    expect(foreign).toBe(0);
    expect(requested()).toContain('/away');
    expect(keys()).toEqual([]);
    expect(requested().filter((path) => path.startsWith('/private'))).toEqual([]);
  });

  it('images and other files, and reads no binary answers', async () => {
    await crawl(({ pathname }) =>
      pathname === '/'
        ? page('<a href="/a.zip">x</a><a href="/photo">x</a>')
        : { headers: { 'content-type': 'image/png' }, body: '<a href="/in-image?a=1">' },
    );
    expect(requested()).not.toContain('/a.zip');
    expect(requested()).not.toContain('/in-image?a=1');
  });
});

describe('the crawl ends', () => {
  it.each<[string, (path: string) => string, number]>([
    [
      'a calendar in the query',
      (path) => `<a href="/calendar?month=${Number(/\d+/.exec(path)?.[0] ?? 0) + 1}">next</a>`,
      30,
    ],
    [
      'a calendar in the path',
      (path) => `<a href="/calendar/2024/${Number(/(\d+)$/.exec(path)?.[1] ?? 0) + 1}">next</a>`,
      30,
    ],
    ['session ids in paths', () => `<a href="/page;jsessionid=${Math.random().toString(36)}">x</a>`, 25],
    ['session ids in queries', () => `<a href="/page?PHPSESSID=${Math.random().toString(36)}">x</a>`, 25],
    ['growing paths', (path) => `${Math.random()}<a href="${path.replace(/\/?$/, '/')}deeper/">x</a>`, 40],
    ['growing queries', (path) => `<a href="${path}${path.includes('?') ? '&' : '?'}p${path.length}=1">x</a>`, 120],
    ['random parameters', () => `<a href="/x?${Math.random().toString(36).slice(2)}=1">x</a>`, 90],
    [
      'random names',
      () => `<a href="/${Math.random().toString(36).slice(2, 9)}">x</a><a href="/b/${Math.random()}">x</a>`,
      150,
    ],
  ])('on %s', async (_name, body, most) => {
    const result = await crawl(({ pathname, search }) => page(body(`${pathname}${search}`)), hostile);
    expect(result.end).toBe('complete');
    expect(new Set(requested()).size).toBeLessThanOrEqual(most);
  });

  it('on a calendar of 10,000 pages that links to all of them', async () => {
    const links = Array.from({ length: 10_000 }, (_none, at) => `<a href="/day/${at}?view=week">x</a>`).join('');
    await crawl(() => page(links), hostile);
    expect(new Set(requested()).size).toBeLessThanOrEqual(30);
    // The others are listed as similar.
    expect(inventory().unread).toBeNull();
  });

  it('at the limit of pages', async () => {
    const seeds = Array.from({ length: 80 }, (_none, at) => ({ path: `/case${at}?n=1` }));
    await crawl(() => ({ body: '' }), { limits: { ms: 600_000, requests: 100_000, pages: 60 }, seeds });
    // The pages that are watched after each of them are read again.
    expect(new Set(requested()).size).toBeLessThanOrEqual(70);
    expect(inventory().unread).toMatch(/^not all pages were read/);
  });

  it('within its share of the requests, so that the rest is for the points', async () => {
    const result = await crawl(() => page(`<a href="/${Math.random().toString(36).slice(2, 9)}?a=1">x</a>`), {
      limits: { ms: 60_000, requests: 300 },
    });
    expect(requested().length).toBeLessThanOrEqual(112);
    expect(result.end).toBe('complete');
    expect(inventory().unread).toMatch(/^not all pages were read/);
  });
});
