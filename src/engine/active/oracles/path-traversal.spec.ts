import type { Reply } from '../../testing/target-server';
import { ExchangeFailed } from '../../transport/exchange';
import { type Application, observeApplication, pageWith } from '../testing/simulated-point';
import { readPath, readResource, readWindowsPath, VERSION_TEXT } from '../testing/virtual-files';
import { pathTraversal } from './path-traversal';

const opening =
  (path: (value: string) => string, read = readPath): Application =>
  (value) => {
    const content = read(path(value));
    return content === null ? { status: 404, body: '<p>No such page</p>' } : pageWith(`<pre>${content}</pre>`);
  };
const cutAtNull = (value: string): string => value.split('\0', 1)[0] ?? '';

const VULNERABLE: readonly (readonly [string, string, Application])[] = [
  ['opens it in a folder', 'red', opening((value) => value)],
  ['puts it behind the name of a folder', '/red', opening((value) => `/srv/app/pages${value}`)],
  ['opens it as it is', 'red', opening((value) => (value.startsWith('/') ? value : 'red'))],
  [
    'checks the folder before it opens it',
    'help/index.html',
    opening((value) => (value.startsWith('help/') ? value : 'red')),
  ],
  ['removes ../ once', 'red', opening((value) => value.replaceAll('../', ''))],
  [
    'removes ../ once, and puts it behind the name of a folder',
    '/red',
    opening((value) => `/srv/app/pages${value.replaceAll('../', '')}`),
  ],
  ['opens it as a resource of a Java application', '/red', opening((value) => value, readResource)],
  ['opens it as a resource in a folder', 'red', opening((value) => `/pages/${value}`, readResource)],
  [
    'decodes it behind the filter',
    'red',
    opening((value) => (value.includes('..') ? 'red' : decodeURIComponent(value))),
  ],
  ['adds an extension, and ends names at a null byte', 'red', opening((value) => cutAtNull(`${value}.html`))],
  [
    'wants an extension, and ends names at a null byte',
    'help/index.html',
    opening((value) => (value.endsWith('.html') ? cutAtNull(value) : 'red')),
  ],
  ['opens URLs', 'red', opening((value) => (/^\w+:/.test(value) ? new URL(value).pathname : 'red'))],
  ['opens it on Windows', 'red', opening((value) => value, readWindowsPath)],
  [
    'opens it on Windows, and refuses slashes',
    'red',
    opening((value) => (value.includes('/') ? 'red' : value), readWindowsPath),
  ],
  [
    'opens it as it is on Windows',
    'red',
    opening((value) => (/^[a-z]:/i.test(value) ? value : 'red'), readWindowsPath),
  ],
  [
    'escapes the text',
    'red',
    opening(
      (value) => value,
      (path) => readPath(path)?.replaceAll('(', '&#40;').replaceAll('@', '&#x40;') ?? null,
    ),
  ],
  ['fails after it has shown the file', 'red', (value) => ({ ...opening((one) => one)(value, ''), status: 500 })],
];

/** The page is `/shop/docs/en/show.jsp` of the application `shop`. */
const OF_SERVLETS: readonly (readonly [string, string, Application])[] = [
  ['in the folder of the page', 'red', opening((value) => `/docs/en/${value}`, readResource)],
  ['behind the name of the folder', '/red', opening((value) => `/docs/en${value}`, readResource)],
  ['in the folder of a site without a name', 'red', opening((value) => `/shop/docs/en/${value}`, readResource)],
  ['without ../', 'red', opening((value) => `/docs/en/${value.replaceAll('../', '')}`, readResource)],
];

const telling =
  (path: (value: string) => string, missing: Reply): Application =>
  (value) =>
    readPath(path(value)) === null ? missing : pageWith(`<p>There is ${value}</p>`);
/** Applications whose responses do not show the file. */
const BLIND: readonly (readonly [string, Application])[] = [
  ['says whether it exists', telling((value) => value, pageWith('<p>No such file</p>'))],
  [
    'says so for paths from the root',
    telling((value) => (value.startsWith('/') ? value : 'x'), pageWith('<p>None</p>')),
  ],
  ['fails where it does not exist', telling((value) => value, { status: 500, body: '<p>FileNotFoundError</p>' })],
];

const failed = (): ExchangeFailed => {
  const failure = { code: 'protocol', reason: 'the response is not HTTP' } as const;
  const nothing = { sent: '', received: '', bytes: 0, address: null, sha256: null, tls: null };
  return new ExchangeFailed({ ...nothing, kind: 'http', to: 'target.test', started: '', ms: 1, failure }, failure);
};

let turn = 0;
/** With the maximum number of requests, if it is not 40. */
const SOUND: [string, Application, number?][] = [
  ['reads a list', (value) => (value === 'red' ? pageWith('Red') : { status: 404, body: 'No such page' })],
  [
    'resolves the path and checks it',
    opening((value) => (/^[\w/]+$/.test(value) && !value.startsWith('/') ? value : 'red')),
  ],
  ['repeats the value', (value) => pageWith(value)],
  ['shows the text of the file to every request', () => pageWith(VERSION_TEXT)],
  [
    'shows the text for each name that begins like it',
    (value) => pageWith(value.includes('proc/version') ? VERSION_TEXT : ''),
  ],
  [
    'finds a page that has the value in its text',
    (value) => pageWith('cat /proc/version'.includes(value) ? VERSION_TEXT : ''),
  ],
  [
    'finds a page unless the value has a word that it lacks',
    (value) => pageWith(value.includes('/proc/version') && !value.includes('version-') ? VERSION_TEXT : ''),
  ],
  [
    'finds a page that has the words of the value in its text',
    (value) => pageWith(/^\W*proc\W+version\W*$/.test(value) ? VERSION_TEXT : ''),
  ],
  [
    'finds pages by their words',
    (value) => pageWith(/\b(?:kernel|vm|fs|net)\b/.test(value) ? '<p>3 pages</p>' : '<p>None</p>'),
  ],
  ['shows the manifest to every request', () => pageWith(readResource('/META-INF/MANIFEST.MF') ?? '')],
  [
    'finds the manifest by the words of the value',
    (value) => pageWith(/META-INF.*MANIFEST\.MF\W*$/.test(value) ? (readResource('/META-INF/MANIFEST.MF') ?? '') : ''),
  ],
  ['shows another number each time', (value) => pageWith(`<p>${value} ${(turn += 1)}</p>`)],
  ['shows one of two pages', () => pageWith((turn += 1) % 3 === 0 ? '<p>News</p>' : '<p>Prices</p>')],
  // It passes some draws by chance: 31 requests on average, and never more than 52 in 3,000 runs.
  ['shows the text every second time', () => pageWith((turn += 1) % 2 === 0 ? VERSION_TEXT : ''), 80],
];

describe('path traversal', () => {
  it.each(VULNERABLE)('is proved where the application %s', async (_what, value, application) => {
    const { outcome } = await observeApplication(pathTraversal, application, { value });
    expect(outcome).toMatchObject({ state: 'proved', certainty: expect.stringContaining('2^30') });
    if (outcome.state !== 'proved') return;
    const { variant } = outcome;
    const again = await observeApplication(pathTraversal, application, { value, variant, isRepeat: true });
    expect(again.outcome).toMatchObject({ state: 'proved', variant });
    expect(again.values.length).toBeLessThanOrEqual(4);
    expect(again.outcome).toMatchObject({ certainty: expect.not.stringContaining('2^30') });
  });

  it.each(OF_SERVLETS)('is proved where a servlet opens a resource %s', async (_where, value, application) => {
    const at = { value, page: '/shop/docs/en/show.jsp' };
    const { outcome } = await observeApplication(pathTraversal, application, at);
    expect(outcome).toMatchObject({ state: 'proved', detail: expect.stringContaining('Manifest-Version: 1.0') });
  });

  it.each<[string, Application, number?]>(SOUND)(
    'is sound where the application %s',
    async (_what, application, mostRequests = 40) => {
      const { outcome, unjudged, values } = await observeApplication(pathTraversal, application);
      expect(outcome.state).toBe('sound');
      expect(unjudged).toBe(0);
      expect(values.length).toBeLessThan(mostRequests);
    },
  );

  it.each(BLIND)('is proved where the application %s', async (_what, application) => {
    const { outcome, values } = await observeApplication(pathTraversal, application);
    expect(outcome).toMatchObject({ state: 'proved', variant: expect.stringContaining('existence') });
    expect(values.length).toBeLessThan(60);
    if (outcome.state !== 'proved') return;
    const { variant } = outcome;
    const again = await observeApplication(pathTraversal, application, { variant, isRepeat: true });
    expect(again.outcome).toMatchObject({ state: 'proved', variant });
  });

  it('sends only names that nobody can write or create in a folder of the system', async () => {
    const { values } = await observeApplication(
      pathTraversal,
      opening((value) => value),
      { value: 'help/index.html' },
    );
    const missing = await observeApplication(pathTraversal, () => pageWith(''), { value: 'help/index.html' });
    for (const value of [...values, ...missing.values]) {
      const plain = decodeURIComponent(value.replaceAll('\\', '/')).replace(/\0.*$/, '');
      expect(plain).toMatch(
        /^(?:file:\/\/|C:|help\/)?\/?(?:\.\.\/|\.{4}\/\/)*(?:proc\/{2,4}version(?:-[a-z]{9}|,)?|(?:[a-z]{9}\/)?proc\/sys\/[a-z]{2,6}\/\.\.\/\.\.\/version|Windows\/{2,4}System32\/{2,4}license\.rtf(?:\/{2,4}[a-z]{9})?|META-INF\/[a-z]{9}\/\.\.\/MANIFEST\.MF)$/,
      );
    }
  });

  it('says how many answers its certainty leaves out', async () => {
    let asked = 0;
    const { outcome } = await observeApplication(pathTraversal, (value) => {
      if (value.startsWith('../') && value.includes('proc/sys')) asked += 1;
      if (asked === 15) return { status: 503, body: 'Busy' };
      return pageWith(value.startsWith('../') && readPath(value) !== null ? '<p>There is one</p>' : '<p>None</p>');
    });
    expect(outcome).toMatchObject({
      state: 'proved',
      certainty: expect.stringContaining('left out, whatever they were asked: 1.'),
    });
  });

  it.each([10, 35])('is sound where only the first %i answers follow the paths', async (most) => {
    let asked = 0;
    const { outcome, values } = await observeApplication(pathTraversal, (value) => {
      const exists = value.startsWith('../') && readPath(value) !== null;
      if (value.startsWith('../') && value.includes('proc/sys')) asked += 1;
      return pageWith(exists === asked <= most && value.includes('proc/sys') ? '<p>There is one</p>' : '<p>None</p>');
    });
    expect(outcome.state).toBe('sound');
    expect(values.filter((value) => value.startsWith('../') && value.includes('proc/sys'))).toHaveLength(most + 1);
  });

  it.each([
    ['sound', 'the next request is answered', 0],
    ['thrown', 'the next one is not', 1],
  ])('is %s where a null byte breaks the response and %s', async (state, _how, more) => {
    let broken = 0;
    const seen = observeApplication(pathTraversal, (value) => {
      if (value.includes('\0') || broken > 0) broken += 1;
      if (broken === 1 || (broken > 1 && broken <= 1 + more)) throw failed();
      return pageWith('Red');
    }).then(({ outcome }) => outcome.state);
    expect(await seen.catch(() => 'thrown')).toBe(state);
  });

  it('is disturbed when a firewall refuses paths', async () => {
    const { outcome, values } = await observeApplication(pathTraversal, (value) =>
      /\.\.|proc|system32/i.test(value) ? { status: 403, body: 'Blocked' } : pageWith('Red'),
    );
    expect(outcome.state).toBe('disturbed');
    expect(values.length).toBeLessThan(6);
  });

  it('is disturbed when a firewall answers controls with the status of the pages that show a file', async () => {
    const { outcome } = await observeApplication(pathTraversal, (value) => {
      if (/^\w+$/.test(value)) return pageWith('Red');
      const content = readPath(value);
      return { status: 500, body: content === null ? '<h1>Web Page Blocked</h1>' : `<pre>${content}</pre>` };
    });
    expect(outcome.state).toBe('disturbed');
  });

  it('is sound when everything but a number is refused', async () => {
    const { outcome } = await observeApplication(
      pathTraversal,
      (value) => (/^\d+$/.test(value) ? pageWith('One') : { status: 403, body: 'This is no number' }),
      { value: '1' },
    );
    expect(outcome.state).toBe('sound');
  });
});
