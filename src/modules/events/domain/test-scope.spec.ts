import { hostOf, portOf } from '../../../kernel/web-url';
import { recognizeAsset } from '../../assets/domain/asset-value';
import { TestScope } from './test-scope';

const placeOf = (value: string) => {
  const asset = recognizeAsset(value);
  if (asset === undefined) throw new Error(`${value} is no asset`);
  return asset;
};

const scopeOf = (included: readonly string[], excluded: readonly string[]): TestScope =>
  new TestScope(
    included.map((value) => ({ ...placeOf(value), wildcard: null })),
    excluded.map(placeOf),
  );

function includes(scope: TestScope, text: string): boolean {
  const url = new URL(text);
  return scope.includes({ host: hostOf(url), port: portOf(url), path: url.pathname || '/' });
}

const host = 'https://www.x.example';

describe('a URL that an event excludes', () => {
  const scope = scopeOf(['x.example'], [`${host}/admin`]);

  it.each([
    '/admin',
    '/admin/',
    '/admin?x=1',
    '/admin/users/1',
    '//admin',
    '/./admin',
    '/a/../admin',
    '/%61dmin',
    '/a%2F..%2Fadmin',
    '/admin/..%2Fopen',
  ])('excludes %s', (path) => {
    expect(includes(scope, `${host}${path}`)).toBe(false);
  });

  it.each(['/', '/open', '/administration', '/admin.html', '/open/admin', '/Admin'])('does not exclude %s', (path) => {
    expect(includes(scope, `${host}${path}`)).toBe(true);
  });

  it('excludes its path on every port of the name and over HTTP too, and on no other name', () => {
    expect(includes(scope, 'http://www.x.example/admin')).toBe(false);
    expect(includes(scope, `${host}:8443/admin`)).toBe(false);
    expect(includes(scope, 'https://x.example/admin')).toBe(true);
  });

  it('excludes no service and no zone of the host, unless it is the root', () => {
    for (const place of ['tcp://www.x.example:6379', 'dns://www.x.example']) {
      expect(includes(scope, place)).toBe(true);
      expect(includes(scopeOf(['x.example'], [`${host}/`]), place)).toBe(false);
    }
  });

  it('may have a slash at its end, an encoded letter or a query', () => {
    for (const excluded of [`${host}/admin/`, `${host}/%61dmin`, `${host}/admin?x=1`]) {
      expect(includes(scopeOf(['x.example'], [excluded]), `${host}/admin`)).toBe(false);
      expect(includes(scopeOf(['x.example'], [excluded]), `${host}/open`)).toBe(true);
    }
  });

  it('on an address excludes its path on its port alone', () => {
    const onAddress = scopeOf(['192.0.2.1'], ['http://192.0.2.1:8080/admin']);
    expect(includes(onAddress, 'http://192.0.2.1:8080/admin')).toBe(false);
    expect(includes(onAddress, 'http://192.0.2.1:8081/admin')).toBe(true);
    expect(includes(onAddress, 'http://192.0.2.1:8080/')).toBe(true);
  });
});

describe('of an included and an excluded asset', () => {
  it.each<[string, string, string, string, boolean]>([
    ['the excluded path', `${host}/app`, `${host}/app/admin`, '/app/admin/x', false],
    ['the included path', `${host}/app/open`, `${host}/app`, '/app/open/x', true],
    ['the excluded path, beside the included one', `${host}/app/open`, `${host}/app`, '/app/x', false],
    ['the included page of an excluded name', `${host}/app`, 'www.x.example', '/app/x', true],
    ['the excluded name, beside the included page', `${host}/app`, 'www.x.example', '/', false],
    ['the excluded name above, beside the included page', `${host}/app`, 'x.example', '/', false],
    ['the included name', 'www.x.example', 'x.example', '/', true],
    ['the excluded name', 'x.example', 'www.x.example', '/', false],
  ])('the more specific one decides: %s', (_which, included, excluded, path, expected) => {
    expect(includes(scopeOf([included], [excluded]), `${host}${path}`)).toBe(expected);
  });

  it('brings back by an included page only what every server reads as below it', () => {
    const scope = scopeOf([`${host}/app`], ['www.x.example']);
    expect(includes(scope, `${host}/app/%61`)).toBe(true);
    expect(includes(scope, `${host}/app/..%2Fadmin`)).toBe(false);
  });

  it.each<[string, string, string]>([
    ['the same path, spelled otherwise', `${host}/app`, `${host}/app/`],
    ['the same path, over the other scheme', `${host}/app`, 'http://www.x.example/app'],
    ['the same name', 'www.x.example', 'www.x.example'],
    ['the same block', '192.0.2.0/24', '192.0.2.0/24'],
  ])('that are equally specific the excluded one decides: %s', (_which, included, excluded) => {
    const url = included.startsWith('192') ? 'http://192.0.2.1/app' : `${host}/app`;
    expect(includes(scopeOf([included], []), url)).toBe(true);
    expect(includes(scopeOf([included], [excluded]), url)).toBe(false);
  });
});

it('a page in scope lets its whole host be tested, as long as nothing is excluded', () => {
  expect(includes(scopeOf([`${host}/app`], []), `${host}/`)).toBe(true);
  expect(includes(scopeOf([`${host}/app`], [`${host}/admin`]), `${host}/`)).toBe(true);
  expect(includes(scopeOf([`${host}/app`], []), 'https://y.example/')).toBe(false);
});
