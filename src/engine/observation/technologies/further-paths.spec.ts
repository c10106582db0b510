import type { Statement } from '../host-seen';
import { iconHashOf, iconPath, nextPath } from './further-paths';

type Page = Extract<Statement, { kind: 'http' }>;

const page = (changes: Partial<Page>): Page => ({
  kind: 'http',
  url: 'https://www.example.com/',
  status: 200,
  headers: [],
  body: '',
  ...changes,
});
const redirectTo = (location: string): Page => page({ status: 302, headers: [['Location', location]] });
const GRAFANA = '<title>Grafana</title>';

describe('nextPath', () => {
  it.each([
    ['an ordinary page', page({}), null],
    ['a redirect to a login', redirectTo('/login?from=%2F'), '/login?from=%2F'],
    ['a relative redirect', redirectTo('web/'), '/web/'],
    ['a redirect to another host', redirectTo('https://login.example.com/'), null],
    ['a redirect to another scheme', redirectTo('http://www.example.com/a'), null],
    ['a redirect to the same page', redirectTo('/'), null],
    ['a redirect to nowhere', redirectTo('http://['), null],
    ['a very long redirect', redirectTo(`/${'a'.repeat(600)}`), null],
    ['a location without a redirect', page({ headers: [['Location', '/a']] }), null],
    ['software that states its version elsewhere', page({ body: GRAFANA }), '/login'],
    ['software that has stated its version', page({ body: '<meta name="generator" content="WordPress 6.1.9">' }), null],
  ])('is right for %s', (_what, home, path) => {
    expect(nextPath([home])).toBe(path);
  });

  it('follows the redirect first, asks for no path twice, and ends after two further pages', () => {
    const home = redirectTo('/graph');
    const graph = page({ url: 'https://www.example.com/graph', body: GRAFANA });
    const login = page({ url: 'https://www.example.com/login', body: GRAFANA });
    expect([nextPath([]), nextPath([home]), nextPath([home, graph])]).toEqual([null, '/graph', '/login']);
    expect([nextPath([home, login]), nextPath([page({}), login])]).toEqual(['/graph', null]);
    const circle = [home, page({ ...redirectTo('/a'), url: 'https://www.example.com/graph' })];
    expect([nextPath(circle), nextPath([...circle, login])]).toEqual(['/a', null]);
  });
});

describe('iconPath', () => {
  it.each([
    ['a page without an icon', '', '/favicon.ico'],
    ['an icon with a path', '<link rel="shortcut icon" href="static/i.png?1">', '/static/i.png?1'],
    ['an icon of another origin', '<link rel="icon" href="//cdn.test/i.png">', '/favicon.ico'],
    ['an icon in the page itself', '<link rel="icon" href="data:image/png;base64,AA">', '/favicon.ico'],
  ])('is right for %s', (_what, body, path) => {
    expect(iconPath(page({ body }))).toBe(path);
  });
});

describe('iconHashOf', () => {
  it('hashes the Base64 text in lines, as search engines do', () => {
    expect(iconHashOf(Buffer.alloc(100, 'icon'))).toBe(-1_372_258_323);
  });
});
