import { placeOfTemplate } from './template-place';

const below = (...targets: string[]) => targets.map((target) => ({ method: 'GET', target, isBelowPath: true }));
const atRoot = (target: string) => [{ method: 'GET', target, isBelowPath: false }];

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
  ])('is derived from the end of the URL that matched: %s', (_name, requests, matchedAt, location) => {
    expect(placeOfTemplate(requests, matchedAt)).toEqual({ location });
  });

  it.each([
    ['another path', below('/.git/config'), 'https://a.test/other'],
    ['an unknown path', below('/{{path}}'), 'https://a.test/a/b'],
    ['a folder that the template does not go below', atRoot('/status'), 'https://a.test/shop/status'],
    ['another query', below('/find?q=1'), 'https://a.test/find?q=2'],
    ['a path within a query', below('/b'), 'https://a.test/?a=/b'],
    ['no URL', below(''), null],
    ['a host alone', below(''), 'a.test:443'],
    ['another protocol', below(''), 'ftp://a.test/'],
  ])('is not guessed: %s', (_name, requests, matchedAt) => {
    expect(placeOfTemplate(requests, matchedAt)).toEqual({ refusal: expect.any(String) });
  });
});
