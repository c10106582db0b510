import type { Check } from './check';
import { directoryListing } from './checks/directory-listing';
import { exposedEnv } from './checks/exposed-env';
import { exposedGit } from './checks/exposed-git';
import { checkFromYaml } from './templates/check-from-yaml';
import {
  denied,
  framed,
  leaking,
  LEAKS,
  NEW_HOME,
  notFound,
  own,
  shop,
  SHOP_PAGES,
  STOCK,
  stock,
} from './testing/shop-site';
import { HOUR, said, seenBefore, siteTests } from './testing/site-tests';
import { siteSetup } from './testing/target-states';
import type { Site } from './testing/target-server';

const yaml = checkFromYaml(
  'id: git-head\ninfo: {name: A repository, severity: high}\nhttp:\n  - {method: GET, path: ["{{BaseURL}}/.git/HEAD"], matchers-condition: and, matchers: [{type: word, words: ["ref: refs/"]}, {type: status, status: [200]}]}\n',
);
const CHECKS: readonly [string, Check][] = [
  ['exposed-git', exposedGit],
  ['exposed-env', exposedEnv],
  ['directory-listing', directoryListing],
  ['a check in YAML', yaml],
];

const weak = shop(stock, LEAKS);
const withAssets = notFound(
  '<title>Oops</title><link rel="stylesheet" href="/shop.css"><script src="/shop.js"></script><p>Nothing at this address</p>',
);
const english = framed('Bakery in English', '<h1>Good morning</h1><p>Choose your language, or go on in English</p>');

/** Real fixes of a site that was changed at the same time. */
const FIXED: Readonly<Record<string, Site>> = {
  'missing paths get a page in the frame of the site': shop(own),
  'missing paths get a page that loads what the site loads': shop(withAssets),
  'missing paths get a page in the frame of the site, with 200': shop({ ...own, status: 200 }),
  'missing paths get a page in the frame of the site, with 410': shop({ ...own, status: 410 }),
  'another server with a page of its own answers everything': { ...shop(own), headers: { server: 'Apache' } },
  'the front page has a new look': shop(stock, { '/': NEW_HOME }),
  'the front page leads to a language': shop(stock, {
    '/': { status: 302, headers: { location: '/en/' } },
    '/en/': english,
  }),
  'the front page is a form to sign in now': shop(stock, {
    '/': framed('Sign in', '<form action="/in"><input name="word" type="password"></form>'),
  }),
  'the front page and the page for missing paths are new': shop(own, { '/': NEW_HOME }),
};

/** Real fixes that only a second retest recognizes, because any server could send the new response. */
const LATER: Readonly<Record<string, Site>> = {
  'Apache answers in place of nginx': { ...shop(notFound(STOCK('Apache'))), headers: { server: 'Apache' } },
  'missing paths get an empty response': { ...shop(notFound('')), headers: { server: 'Caddy' } },
  'missing paths get JSON': shop(notFound('{"error":"no such page"}', { 'content-type': 'application/json' })),
  'a store of objects answers in place of nginx, and denies what does not exist': {
    pages: SHOP_PAGES,
    headers: { server: 'AmazonS3' },
    answer: ({ url = '/' }) => ((url.split('?', 1)[0] ?? '/') in SHOP_PAGES ? null : denied()),
  },
  'missing paths lead to the front page': shop({ status: 302, headers: { location: '/' } }),
};

describe.each(CHECKS)('a changed site, by %s', (_name, check) => {
  const { baselineOf, retest } = siteTests();
  const becomes = (site: Site) => () => siteSetup(site);
  // The listing check does not compare with the front page, but the front page shows that the site is available.
  const isComparable = (name: string): boolean => check !== directoryListing || !name.startsWith('the front page');
  const fixed = Object.entries(FIXED).filter(([name]) => isComparable(name));
  const later = Object.entries(LATER);

  it.each(fixed)('that is fixed is recognized when %s', async (_state, site) => {
    const before = await baselineOf(check, weak);
    expect(said(await retest(check, before, becomes(site)))).toMatch(/^fixed: .* before/);
  });

  // The rule is the same for all checks, so two of them are enough.
  const isSample = check === exposedGit || check === directoryListing;

  it.each(isSample ? later : later.slice(0, 1))(
    'that is fixed is recognized at a second retest when %s',
    async (_state, site) => {
      const before = await baselineOf(check, weak);
      const first = await retest(check, before, becomes(site));
      expect(said(first)).toMatch(/^inconclusive: .*counts when a retest after 20/);
      const again = (ms: number) => retest(check, seenBefore(first.baseline, ms), becomes(site));
      expect(said(await again(HOUR - 60_000))).toMatch(/^inconclusive: .*counts when a retest after 20/);
      expect(said(await again(HOUR))).toMatch(/^fixed: /);
    },
  );

  it.each(check === exposedGit ? [...fixed, ...later] : fixed.slice(0, 1))(
    'that is weak is still vulnerable when %s',
    async (_state, site) => {
      const before = await baselineOf(check, weak);
      expect(said(await retest(check, before, becomes(leaking(site))))).toMatch(/^still_vulnerable: /);
    },
  );
});
