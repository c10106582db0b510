import { placeOfTemplate } from './template-place';

const stated = { method: 'GET', isBelowPath: true, followsRedirects: false };
const below = (...targets: string[]) => targets.map((target) => ({ ...stated, target }));
const atRoot = (target: string) => [{ ...stated, target, isBelowPath: false }];
const redirecting = (...targets: string[]) => below(...targets).map((one) => ({ ...one, followsRedirects: true }));

describe('the URL at which a scanner ran a template', () => {
  it.each([
    ['the site', below('/.git/config'), 'https://a.test/.git/config', 'https://a.test/'],
    ['a folder', below('/.git/config'), 'https://a.test/shop/.git/config', 'https://a.test/shop'],
    ['the longest path', below('', '/.git/config'), 'https://a.test:8443/x/.git/config', 'https://a.test:8443/x'],
    ['the page itself', below(''), 'https://a.test/shop/cart', 'https://a.test/shop/cart'],
    ['the front page', below(''), 'https://a.test/', 'https://a.test/'],
    ['a query', below('/find?q=1'), 'https://a.test/find?q=1', 'https://a.test/'],
    ['a query of the front page', below('?q=1'), 'https://a.test/?q=1', 'https://a.test/'],
    ['an escaped path', below('/a b'), 'https://a.test/a%20b', 'https://a.test/'],
    ['below the root', atRoot('/status'), 'https://a.test/status', 'https://a.test/'],
    ['the front page of a template with unknown paths', below('/{{path}}'), 'https://a.test', 'https://a.test/'],
    ['a stated path beside an unknown one', below('/a.php', '/{{randstr}}'), 'https://a.test/a.php', 'https://a.test/'],
    ['a path with an unknown value', below('/x/{{randstr}}.php'), 'https://a.test/s/x/abc.php', 'https://a.test/s'],
    ['an unknown value in a query', below('', '/find?q={{randstr}}'), 'https://a.test/find?q=2a', 'https://a.test/'],
    ['a path of the site after redirects', redirecting('', '/login'), 'https://a.test/login', 'https://a.test/'],
  ])('is derived from the end of the URL that matched: %s', (_name, requests, matchedAt, location) => {
    expect(placeOfTemplate(requests, matchedAt)).toEqual({ location });
  });

  it.each([
    ['another path', below('/.git/config'), 'https://a.test/other'],
    ['an unknown path', below('/{{path}}'), 'https://a.test/a/b'],
    ['a folder that the template does not go below', atRoot('/status'), 'https://a.test/shop/status'],
    ['another query', below('/find?q=1'), 'https://a.test/find?q=2'],
    ['a path within a query', below('/b'), 'https://a.test/?a=/b'],
    ['the page itself or a path', below('', '/wp-content/{{randstr}}.php'), 'https://a.test/wp-content/abc.php'],
    ['the page itself or any path', below('', '/{{randstr}}'), 'https://a.test/shop'],
    ['a folder or a path', below('/', '/admin/?x={{randstr}}'), 'https://a.test/admin/'],
    ['a path or one with an unknown value', below('/find', '/{{randstr}}/find'), 'https://a.test/abc/find'],
    ['two folders with the same name', below('/x/{{randstr}}'), 'https://a.test/x/a/x/b'],
    ['an expression alone', below('{{path}}'), 'https://a.test/shop'],
    ['a query that is not of the template', below(''), 'https://a.test/find?q=1'],
    ['the end of a redirect', redirecting(''), 'https://a.test/app/dashboard'],
    ['a path at the end of a redirect', redirecting('/login'), 'https://a.test/sso/login'],
    ['no URL', below(''), null],
    ['a host alone', below(''), 'a.test:443'],
    ['another protocol', below(''), 'ftp://a.test/'],
  ])('is not guessed: %s', (_name, requests, matchedAt) => {
    expect(placeOfTemplate(requests, matchedAt)).toEqual({ refusal: expect.any(String) });
  });
});
