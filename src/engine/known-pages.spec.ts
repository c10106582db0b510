import { exposedGit } from './checks/exposed-git';
import { framed, LEAKS, notFound, shop, stock } from './testing/shop-site';
import { siteTests } from './testing/site-tests';
import type { Site } from './testing/target-server';

const { baselineOf, paths } = siteTests();

const knownOf = async (site: Site): Promise<readonly string[] | undefined> => {
  const before = await baselineOf(exposedGit, site);
  return before.on === 'web' ? before.known?.map(({ path }) => path) : undefined;
};

const linksTo = (...links: string[]): string =>
  framed('Links', links.map((link) => `<a href="${link}">x</a>`).join('')).replace(/<nav.*<\/nav>/s, '');

const text = (subject: string, words: string): string => framed(subject, `<h1>${subject}</h1><p>${words}</p>`);

describe('the known pages of a baseline', () => {
  it('are up to three pages that the front page links to', async () => {
    expect(await knownOf(shop(stock, LEAKS))).toEqual(['/about', '/prices', '/visit']);
  });

  it('are requested neither from links that may change something nor from those to a login', async () => {
    const front = linksTo('/logout', '/cart/add-to-basket', '/about?delete=1', '/users/7/delete', '/account', '/about');
    expect(await knownOf(shop(stock, { ...LEAKS, '/': front }))).toEqual(['/about']);
    expect(paths()).toContain('/about');
    expect(paths().filter((path) => /logout|basket|delete|account/.test(path))).toEqual([]);
  });

  it('are neither pages without a text of their own, nor errors, logins, files or pages in the folder of the weakness', async () => {
    const front = linksTo('/empty', '/gone', '/in', '/shop.css', '/.git/notes', '/copy', '/prices');
    const site = shop(stock, {
      ...LEAKS,
      '/': front,
      '/empty': framed('Empty', ''),
      '/in': framed('In', '<input type="password">'),
      '/.git/notes': text('Notes', 'Our oldest apprentice wrote down every recipe that the miller ever told anybody'),
      '/copy': front,
    });
    expect(await knownOf(site)).toEqual(['/prices']);
  });

  it('are none out of scope', async () => {
    const site = shop(stock, LEAKS);
    const before = await baselineOf(exposedGit, site, '/', ({ path }) => !path.startsWith('/prices'));
    expect(before.on === 'web' && before.known?.map(({ path }) => path)).toEqual(['/about', '/visit']);
    expect(paths()).not.toContain('/prices');
  });

  it('are none where a missing path near them is answered otherwise', async () => {
    const near: Site = {
      ...shop(stock, LEAKS),
      answer: ({ url = '' }) => (url.startsWith('/about/') ? notFound('of another service') : null),
    };
    expect(await knownOf(near)).toEqual(['/prices', '/visit']);
  });
});
