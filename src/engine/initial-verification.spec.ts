import { isEquivalentRedirect, missingSiblingOf } from './page';

const HERE = 'https://target.test';

it.each([
  ['/.env', '/.env-nothing-'],
  ['/.git/HEAD', '/.git/HEAD-nothing-'],
  ['/wp-config.php.bak', '/wp-config.php-nothing-'],
  ['/', '/-nothing-'],
])('the missing path next to %s begins with %s', (path, start) => {
  expect(missingSiblingOf(path).startsWith(start)).toBe(true);
  expect(missingSiblingOf('/a/dump.sql')).toMatch(/^\/a\/dump-nothing-[0-9a-f]{12}\.sql$/);
});

describe('two redirects are equivalent', () => {
  const alike = (path: string, to: string, otherTo: string): boolean =>
    isEquivalentRedirect(path, new URL(to, HERE), '/nothing-1', new URL(otherTo, HERE));

  it.each([
    ['to one place', '/a', '/login', '/login'],
    ['to one place, with the original path in a parameter', '/a', '/login?next=/a&s=1', '/login?s=2&next=/nothing-1'],
    ['to HTTPS each', '/a', 'https://x.test/a', 'https://x.test/nothing-1'],
    ['to a language each', '/a/b', '/en/a/b/', '/en/nothing-1/'],
    ['the front to the front', '/', 'https://x.test/', 'https://x.test/nothing-1'],
  ])('%s', (_how, path, to, otherTo) => expect(alike(path, to, otherTo)).toBe(true));

  it.each([
    ['to another place', '/a', '/b', '/c'],
    ['to another host', '/a', 'https://x.test/a', 'https://y.test/nothing-1'],
    ['to another port', '/a', 'https://x.test/a', 'https://x.test:8443/nothing-1'],
    ['by another parameter', '/a', '/get?file=a', '/get?missing=1'],
    ['one alone with its path', '/a', '/files/a', '/files'],
  ])('two redirects are not equivalent: %s', (_how, path, to, otherTo) => expect(alike(path, to, otherTo)).toBe(false));
});
