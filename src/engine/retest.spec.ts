import { directoryListing } from './checks/directory-listing';
import { exposedGit } from './checks/exposed-git';
import { missingHsts } from './checks/missing-hsts';
import { missingNosniff } from './checks/missing-nosniff';
import { framed, leaking, LEAKS, NEW_HOME, notFound, shop, STOCK, stock } from './testing/shop-site';
import { HOUR, said, siteTests } from './testing/site-tests';
import { siteSetup } from './testing/target-states';
import type { Site } from './testing/target-server';

const { baselineOf, retest, confirm } = siteTests();
const becomes = (site: Site) => () => siteSetup(site);
const weak = shop(stock, LEAKS);

/** A completely new site: no page of the old one is left. */
const relaunched: Site = {
  pages: { '/': NEW_HOME, '/flavours': framed('Flavours', '<p>Lemon, pistachio, hazelnut and plum</p>') },
  answer: ({ url = '/' }) =>
    ['/', '/flavours'].includes(url.split('?', 1)[0] ?? '/') ? null : notFound('<h3>Melted away</h3>'),
};
const SECURE: Site['headers'] = { 'x-content-type-options': 'nosniff' };

describe('a retest of a site that was relaunched', () => {
  it('says that an admin may confirm the site, and compares with it an hour later', async () => {
    const before = await baselineOf(exposedGit, weak);
    const first = await retest(exposedGit, before, becomes(relaunched));
    expect(said(first)).toMatch(/^inconclusive: .*differs.* not seen any more.* an admin may confirm/);
    expect(first.newSite).toMatchObject({
      path: '/',
      page: { title: 'Summer!' },
      text: expect.stringContaining('Ice'),
    });
    const soon = confirm(exposedGit, before, first.newSite, HOUR - 60_000);
    expect(said(await retest(exposedGit, soon ?? before, becomes(relaunched)))).toMatch(
      /^inconclusive: .*the new baseline counts from 20/,
    );
    const later = confirm(exposedGit, before, first.newSite, HOUR);
    expect(said(await retest(exposedGit, later ?? before, becomes(relaunched)))).toMatch(
      /^fixed: .* that user 12 confirmed at 20/,
    );
  });

  it('sees the weakness all the same, before and after a person has confirmed the site', async () => {
    const before = await baselineOf(exposedGit, weak);
    const first = await retest(exposedGit, before, becomes(leaking(relaunched)));
    expect([first.verdict.result, first.newSite]).toEqual(['still_vulnerable', null]);
    const { newSite } = await retest(exposedGit, before, becomes(relaunched));
    const confirmed = confirm(exposedGit, before, newSite, HOUR) ?? before;
    const again = await retest(exposedGit, confirmed, becomes(leaking(relaunched)));
    expect(again.verdict.result).toBe('still_vulnerable');
    expect(again.baseline).not.toHaveProperty('confirmed');
  });

  const LISTING = '<title>Index of /scans/</title><h1>Index of /scans/</h1><a href="card.pdf">card.pdf</a>';
  const shut = (site: Site): Site => ({
    answer: (request) =>
      request.url?.startsWith('/scans/?') === true || request.url === '/scans/'
        ? { status: 403, body: STOCK('nginx').replaceAll('404 Not Found', '403 Forbidden') }
        : (site.answer?.(request) ?? null),
    pages: site.pages,
  });

  it('may be confirmed where the tested page is the folder that the fix has closed', async () => {
    const before = await baselineOf(directoryListing, shop(stock, { '/scans/': LISTING }), '/scans/');
    const { verdict, newSite } = await retest(directoryListing, before, becomes(shut(relaunched)), '/scans/');
    expect(said({ verdict })).toMatch(/^inconclusive: .* an admin may confirm/);
    const confirmed = confirm(directoryListing, before, newSite, HOUR, '/scans/') ?? before;
    // Whether the fix refuses the page is decided separately, unless its files are still served.
    const later = async (site: Site): Promise<string> =>
      said(await retest(directoryListing, confirmed, becomes(shut(site)), '/scans/'));
    expect(await later(relaunched)).toMatch(/^blocked: .* does not show that the weakness is gone$/);
    const answer: Site['answer'] = (request) =>
      request.url === '/scans/card.pdf' ? { body: '%PDF' } : (relaunched.answer?.(request) ?? null);
    expect(await later({ ...relaunched, answer })).toMatch(/^fixed: /);
  });

  it.each<[string, Site]>([
    ['it asks to sign in', { pages: { '/': '<title>Sign in</title><input type="password">' } }],
    ['none of its pages answers', { answer: () => notFound('<h3>Melted away</h3>') }],
  ])('may not be confirmed where the tested page is a shut folder and %s', async (_state, site) => {
    const before = await baselineOf(directoryListing, shop(stock, { '/scans/': LISTING }), '/scans/');
    const { verdict, newSite } = await retest(directoryListing, before, becomes(shut(site)), '/scans/');
    expect([verdict.result, newSite]).toEqual(['inconclusive', null]);
  });

  it('offers nothing to confirm while a check of the page still sees the weakness', async () => {
    const before = await baselineOf(missingNosniff, weak);
    const { verdict, newSite } = await retest(missingNosniff, before, becomes(relaunched));
    expect([verdict.result, newSite]).toEqual(['inconclusive', null]);
    expect(verdict.reason).not.toContain('an admin may');
  });

  it('compares again with the confirmed site, which a login may replace later', async () => {
    const before = await baselineOf(exposedGit, weak);
    const { newSite } = await retest(exposedGit, before, becomes(relaunched));
    const confirmed = confirm(exposedGit, before, newSite, HOUR) ?? before;
    const login = { body: '<title>Sign in</title><form><input type="password"></form>' };
    const site = { ...relaunched, pages: { ...relaunched.pages, '/': login } };
    const { verdict, newSite: next } = await retest(exposedGit, confirmed, becomes(site));
    expect([verdict.result, next]).toEqual(['inconclusive', null]);
  });

  const answering = (answer: Site['answer']): Site => ({ answer });
  it.each<[string, Site]>([
    ['fails', answering(() => ({ status: 503, body: 'down' }))],
    ['refuses everybody', answering(() => ({ status: 403, body: 'no' }))],
    ['asks to sign in', answering(() => ({ body: '<title>Sign in</title><input type="password">' }))],
    ['leads to another host', answering(() => ({ status: 302, headers: { location: 'https://other.test/' } }))],
    ['is like a missing path', answering(() => ({ body: '<title>Hello</title><p>One page for everything here</p>' }))],
    ['shows a captcha', { ...relaunched, pages: { '/': `${NEW_HOME}<div class="g-recaptcha"></div>` } }],
    ['is to be asked later', { ...relaunched, pages: { '/': { body: NEW_HOME, headers: { 'retry-after': '9' } } } }],
  ])('offers nothing to confirm when its page %s', async (_state, site) => {
    const before = await baselineOf(exposedGit, weak);
    const { verdict, newSite } = await retest(exposedGit, before, becomes(site));
    expect([verdict.result, newSite]).toEqual(['inconclusive', null]);
  });
});

describe('the page that a site gives for every path', () => {
  const page = (load: string) => ({
    headers: SECURE,
    body: `<title>Soon</title><p>Something great will be here before long</p>${load}`,
  });
  const script = { headers: { 'content-type': 'text/javascript' }, body: 'show();' };
  const everywhere = (load: string): Site => ({
    answer: ({ url = '/' }) => (url.startsWith('/soon.js') ? script : page(load)),
  });
  const shell = everywhere('<script src="/soon.js"></script>');
  const plain = { pages: { '/': '<title>Plain</title><p>A page without a link to another one</p>', ...LEAKS } };

  it.each([
    ['a site with known pages', exposedGit, weak],
    ['a site without known pages', exposedGit, plain],
    ['a check of the page', missingNosniff, plain],
  ])(
    'may be confirmed as the shell of an application, which loads its own script, for %s',
    async (_name, check, site) => {
      const before = await baselineOf(check, site);
      const { newSite } = await retest(check, before, becomes(shell));
      const confirmed = confirm(check, before, newSite, HOUR) ?? before;
      expect(said(await retest(check, confirmed, becomes(shell)))).toMatch(/^fixed: /);
      const bare: Site = { answer: (request) => ({ ...shell.answer?.(request), headers: {} }) };
      const again = await retest(check, confirmed, becomes(check === exposedGit ? leaking(shell) : bare));
      expect(again.verdict.result).toBe('still_vulnerable');
    },
  );

  it.each([weak, plain])('may not be confirmed where it loads nothing of its own', async (site) => {
    const before = await baselineOf(exposedGit, site);
    const { verdict, newSite } = await retest(exposedGit, before, becomes(everywhere('')));
    expect([verdict.result, newSite]).toEqual(['inconclusive', null]);
  });
});

describe('a site that a person has confirmed', () => {
  it('counts for other findings of its origin, with their own decisive requests', async () => {
    const ofGit = await baselineOf(exposedGit, weak);
    const ofPage = await baselineOf(missingNosniff, weak);
    const { newSite } = await retest(exposedGit, ofGit, becomes(relaunched));
    const confirmed = confirm(missingNosniff, ofPage, newSite, HOUR);
    expect(confirmed).toMatchObject({ decisive: { kind: 'page' }, page: { title: 'Summer!' } });
    const site = { ...relaunched, headers: SECURE };
    expect(said(await retest(missingNosniff, confirmed ?? ofPage, becomes(site)))).toMatch(/^fixed: /);
  });

  it('counts neither for another folder nor for a page that nobody has compared', async () => {
    const before = await baselineOf(exposedGit, weak);
    const { newSite } = await retest(exposedGit, before, becomes(relaunched));
    const ofPage = await baselineOf(missingNosniff, weak, '/about');
    expect(confirm(missingNosniff, ofPage, newSite, HOUR, '/about')).toBeNull();
    expect(confirm(exposedGit, before, newSite && { ...newSite, folder: '/app/' }, HOUR)).toBeNull();
    expect(confirm(exposedGit, before, newSite && { ...newSite, origin: 'https://other.test' }, HOUR)).toBeNull();
  });
});

describe('an empty response of the tested page', () => {
  const page = siteTests('https');
  const empty: Site = { pages: { '/': { status: 204 } } };

  it('is no baseline by itself, and does not hide the page in a later one', async () => {
    await expect(page.baselineOf(missingHsts, empty)).rejects.toThrow('the weakness was not seen');
    const before = await page.baselineOf(missingHsts, shop(stock));
    const { verdict, baseline } = await page.retest(missingHsts, before, becomes(empty));
    expect(verdict.result).not.toBe('fixed');
    const again = await page.retest(missingHsts, baseline ?? before, becomes(shop(stock)));
    expect(again.verdict.result).toBe('still_vulnerable');
  });
});
