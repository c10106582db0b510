import { CHECKS } from '../checks';
import { needsAccounts } from '../needs-accounts';
import { isOfSession } from '../session-record';
import { AccessApplication, type AccessTraits, MAIL, MemorySession, type Person } from '../testing/access-application';
import { scanAccess } from './access-scan';
import type { AccessScan, AccessScanRequest } from './access-scan-request';

const signal = new AbortController().signal;
const target = { scheme: 'https', host: 'shop.test', port: 443, path: '/' } as const;
const checks = CHECKS.filter((one) => needsAccounts(one) && !isOfSession(one));

const PLAIN: AccessTraits = {
  ids: 'numbers',
  form: 'html',
  control: 'member',
  nature: 'private',
  cache: 'none',
  hasTwin: true,
  isSoft: false,
};

const scan = (
  application: AccessApplication,
  more: Partial<AccessScanRequest> & { isTyped?: boolean; livesFor?: () => number } = {},
): Promise<AccessScan> => {
  const { isTyped = true, livesFor, ...rest } = more;
  const account = (person: Person, name: string) => ({
    id: person === 'ada' ? '1' : '2',
    name,
    values: isTyped ? [MAIL[person]] : [],
    paths: application.pathsOf(person),
  });
  return scanAccess({
    target,
    checks,
    transport: application.transport(),
    first: account('ada', 'customer A'),
    second: account('bob', 'customer B'),
    isAbove: false,
    shared: [],
    publicPaths: application.pathsOf(null),
    series: (work) =>
      work(
        { signal, session: new MemorySession('ada', livesFor) },
        { signal, session: new MemorySession('bob', livesFor) },
      ),
    ...rest,
  });
};

const found = ({ sightings }: AccessScan): string[] => sightings.map(({ check, location }) => `${check} ${location}`);

describe('objects of another account', () => {
  it('are a finding of their route, with both requests and nothing else of the pages', async () => {
    const { sightings, coverage } = await scan(new AccessApplication(PLAIN));
    expect(found({ sightings, coverage })).toEqual([
      'object-access https://shop.test/items/*#segment=2',
      'object-access https://shop.test/items/*#segment=2',
    ]);
    const [one] = sightings;
    expect(one).toMatchObject({
      title: 'Broken object level authorization (IDOR) in segment 2 of the path',
      seenAs: { name: 'customer B' },
      detail:
        'seen as customer B, got what belongs to customer A (GET /items/1017 showed "ada@people.test" in two sessions)',
      baseline: {
        on: 'access',
        access: {
          kind: 'object',
          seenAs: 'other',
          objects: [{ path: '/items/1017' }, { path: '/items/1018' }],
          twin: { path: '/items/2044', values: [MAIL.bob], isPrivate: true },
          rows: [
            { as: 'owner', status: 200 },
            { as: 'other', status: 200 },
            { as: 'other', status: 404, values: [] },
            { as: 'other' },
          ],
        },
      },
    });
    expect(JSON.stringify(sightings)).not.toMatch(/Item|Number|<p>/);
    expect(coverage.map(({ check, outcome }) => `${check} ${outcome}`)).toEqual([
      'object-access vulnerable',
      'object-access vulnerable',
      'cached-private-page not_vulnerable',
    ]);
  });

  it('are found in JSON that no page links to', async () => {
    expect(found(await scan(new AccessApplication({ ...PLAIN, form: 'json' })))).toHaveLength(2);
  });

  it('are requested again where a session has ended meanwhile, because its answers do not count', async () => {
    let opened = 0;
    const livesFor = (): number => (opened++ % 3 === 0 ? 3 : Infinity);
    const { sightings } = await scan(new AccessApplication(PLAIN), { livesFor });
    const objects = sightings.map(({ baseline }) => (baseline?.on === 'access' ? baseline.access.objects.length : 0));
    expect([opened > 6, objects]).toEqual([true, [2, 2]]);
  });

  it('are not requested at addresses that are keys themselves', async () => {
    const application = new AccessApplication(PLAIN);
    const paths = ['/', '/account', '/items', '/items/1017?sig=2f9d', '/items/1018;jsessionid=77'];
    await scan(application, { first: { id: '1', name: 'A', values: [MAIL.ada], paths } });
    expect(application.asked.filter((one) => /sig=|jsessionid/.test(one))).toEqual([]);
  });

  it('do not count unless the session is proved', async () => {
    await expect(scan(new AccessApplication(PLAIN), { livesFor: () => 4 })).rejects.toThrow('has ended twice');
  });

  it.each([
    ['all below a path', ['/items/'], 0],
    ['an object', ['/items/1017', '/items/1018', '/items/2044', '/items/2045'], 0],
    ['another path', ['/item', '/items'], 2],
  ])('may be shared on purpose: %s', async (_name, shared, times) => {
    expect(found(await scan(new AccessApplication(PLAIN), { shared }))).toHaveLength(times);
  });

  it('are requested only in ways that change nothing', async () => {
    const application = new AccessApplication(PLAIN);
    const paths = [...application.pathsOf('ada'), '/items/1017/delete', '/logout', '/account/password'];
    await scan(application, { first: { id: '1', name: 'A', values: [MAIL.ada], paths } });
    expect(application.asked.filter((one) => /delete|logout|password/.test(one))).toEqual([]);
    expect(application.asked).toContainEqual('bob /items/1017');
  });

  it('are not requested where the text of a link says that it changes something', async () => {
    const application = new AccessApplication(PLAIN);
    const paths = application.pathsOf('ada').filter((path) => !path.startsWith('/items/'));
    application.rewrite = (body) => body.replaceAll('>INV-77310042</a>', '>Delete</a>');
    await scan(application, { first: { id: '1', name: 'A', values: [MAIL.ada], paths } });
    expect(application.asked.filter((one) => one.includes('/items/1017'))).toEqual([]);
  });

  it('are requested only in scope', async () => {
    const application = new AccessApplication(PLAIN);
    await scan(application, { isInScope: ({ path }) => !path.startsWith('/items/') });
    expect(application.asked.filter((one) => one.includes('/items/'))).toEqual([]);
  });
});

describe('pages of a higher account', () => {
  const withAdmin = (body: string, isOpen = true): AccessApplication => {
    const application = new AccessApplication({ ...PLAIN, control: 'owner' });
    application.before = (visitor, path) => {
      if (!path.startsWith('/admin')) return null;
      return visitor === 'ada' || (isOpen && visitor === 'bob')
        ? { status: 200, body, headers: { 'content-type': 'text/html' } }
        : { status: 403, body: 'Forbidden' };
    };
    return application;
  };
  const asAdmin = (application: AccessApplication, more: object = {}) => {
    const paths = [...application.pathsOf('ada'), '/admin/users'];
    return scan(application, { isAbove: true, first: { id: '1', name: 'admin', values: [], paths }, ...more });
  };

  it('are a finding where the lower one is shown several identifiers of it', async () => {
    const result = await asAdmin(withAdmin('<p>carl@people.test</p><p>dora@people.test</p>'));
    expect(found(result)).toEqual(['function-access https://shop.test/admin/users']);
  });

  it.each([
    ['refused', '<p>carl@people.test</p><p>dora@people.test</p>', false],
    ['one contact, as pages for all have', '<p>press@people.test</p>', true],
    ['what the lower one is shown elsewhere', `<p>${MAIL.bob}</p><p>INV-55120938</p>`, true],
    ['no identifiers', '<h1>User administration</h1>', true],
  ])('are none: %s', async (_name, body, isOpen) => {
    expect(found(await asAdmin(withAdmin(body, isOpen)))).toEqual([]);
  });
});

/** What findings of an application may be about, by its traits. */
function expected({ ids, control, nature, cache, hasTwin }: AccessTraits, isTyped: boolean): string[] {
  // The encrypted id of one session is none in another.
  const isWeak = nature === 'private' && ids !== 'encrypted' && control !== 'owner';
  const objects = isWeak && (isTyped || (hasTwin && control === 'member' && cache === 'none')) ? ['object'] : [];
  // The page of the account is stored too. A cache that takes no notice of queries cannot be told from the application.
  return cache === 'by address' && isTyped ? ['cache', ...objects] : cache === 'none' ? objects : [];
}

const all = <T>(...values: T[]): T[] => values;
const pairs = all('numbers', 'random', 'encrypted', 'names').flatMap((ids) =>
  all('html', 'json').flatMap((form) =>
    all('owner', 'member', 'anyone').flatMap((control) =>
      all('private', 'shared', 'public', 'suggested', 'unsteady').flatMap((nature) =>
        all('none', 'by address', 'by path').flatMap((cache) =>
          all(true, false).flatMap((hasTwin) =>
            all(true, false).flatMap((isSoft) =>
              all(true, false).map((isTyped) => ({
                traits: { ids, form, control, nature, cache, hasTwin, isSoft } as AccessTraits,
                isTyped,
              })),
            ),
          ),
        ),
      ),
    ),
  ),
);

it('gives no false finding in 2,880 pairs of users, in both directions, and finds what is planted', async () => {
  const wrong: object[] = [];
  let planted = 0;
  let missed = 0;
  for (const { traits, isTyped } of pairs) {
    const { sightings } = await scan(new AccessApplication(traits), { isTyped });
    const wanted = expected(traits, isTyped);
    const kinds = new Set(sightings.flatMap(({ baseline }) => (baseline?.on === 'access' ? baseline.access.kind : [])));
    for (const kind of kinds) if (!wanted.includes(kind)) wrong.push({ kind, traits, isTyped });
    // What is shared names both users to both of them.
    if (wanted.length === 0 || traits.nature === 'shared') continue;
    planted += 1;
    missed += kinds.size === 0 ? 1 : 0;
  }
  expect(wrong).toEqual([]);
  expect(planted).toBeGreaterThan(30);
  expect(missed).toBe(0);
}, 600_000);
