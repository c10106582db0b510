import { loginOverHttp } from './checks/login-over-http';
import { missingNosniff } from './checks/missing-nosniff';
import { expiredCertificate } from './checks/expired-certificate';
import { checkFromYaml } from './templates/check-from-yaml';
import type { Check } from './check';
import { certificate } from './testing/certificate';
import { said, siteTests } from './testing/site-tests';
import type { Site } from './testing/target-server';
import { siteSetup } from './testing/target-states';
import { HOST, type TargetSetup } from './testing/test-target';

/** Counts requests to the front page. The request with this number gets the vulnerable site. */
function weakAt(
  number: number,
  weak: Site,
  fixed: Site,
): { readonly setup: TargetSetup; readonly isShown: () => boolean } {
  let asked = 0;
  const setup: TargetSetup = (testTarget) => {
    siteSetup(fixed)(testTarget);
    testTarget.server.route = ({ url = '', method }) =>
      method === 'GET' && url.split('?', 1)[0] === '/' && (asked += 1) === number ? weak : fixed;
  };
  return { setup, isShown: () => asked >= number };
}

const YAML = checkFromYaml(`id: debug-mark
info: { name: A mark, severity: low }
http:
  - path: ["{{BaseURL}}/"]
    matchers: [{ type: word, words: ["debug-mark-17"] }]`);

const HOME = '<!doctype html><title>The target</title><h1>Welcome</h1><p>Whatever a customer has on the web.</p>';
const LOGIN: Site = { pages: { '/': `${HOME}<form><input type="password" name="p"></form>` } };
const MARKED: Site = { pages: { '/': `${HOME}<!-- debug-mark-17 -->` } };
const plain: Site = { pages: { '/': HOME } };
const STRICT: Site = { headers: { 'x-content-type-options': 'nosniff' } };

describe('every answer of the tested page is looked at', () => {
  const { baselineOf, retest, paths } = siteTests();

  it.each<[string, Check, Site, Site]>([
    ['a form', loginOverHttp, LOGIN, plain],
    ['a header', missingNosniff, {}, STRICT],
  ])('also one that came as a control or in between: %s', async (_what, check, weak, fixed) => {
    const before = await baselineOf(check, weak);
    expect(said(await retest(check, before, () => siteSetup(fixed)))).toMatch(/^fixed: /);
    const sent = paths().filter((path) => path === '/').length;
    expect(sent).toBeGreaterThan(16);
    const missed: string[] = [];
    for (let number = 1; number <= sent; number += 1) {
      const { setup, isShown } = weakAt(number, weak, fixed);
      const { verdict } = await retest(check, before, () => setup);
      if (verdict.result === 'fixed' && isShown()) missed.push(`${number} of ${sent}`);
    }
    expect(missed).toEqual([]);
  });

  it('also of a template whose request is that of the page', async () => {
    const before = await baselineOf(YAML, MARKED);
    for (const control of [1, 3]) {
      const { setup } = weakAt(control, MARKED, plain);
      expect(said(await retest(YAML, before, () => setup))).toMatch(/^still_vulnerable: /);
    }
  });
});

describe('every handshake is looked at', () => {
  const { baselineOf, retest, paths } = siteTests('https');

  it('also that of a control', async () => {
    // Some clients only accept one kind of key.
    const both = (until?: Date): Site => {
      const [one, other] = [certificate({ names: [HOST], until, key: 'rsa' }), certificate({ names: [HOST], until })];
      return { tls: { key: [one.key, other.key].flat(), cert: [one.cert, other.cert].flat() } };
    };
    const old = both(new Date(Date.now() - 86_400_000));
    const renewed = both();
    const before = await baselineOf(expiredCertificate, old);
    expect(said(await retest(expiredCertificate, before, () => siteSetup(renewed)))).toMatch(/^fixed: /);
    const sent = paths().length;
    for (let number = 1; number <= sent; number += 1) {
      let shown = 0;
      const setup: TargetSetup = (testTarget) => {
        siteSetup(renewed)(testTarget);
        testTarget.server.balance = () => ((shown += 1) === number ? old : renewed);
      };
      const { verdict } = await retest(expiredCertificate, before, () => setup);
      if (shown >= number) expect([number, verdict.result]).toEqual([number, 'still_vulnerable']);
    }
  });
});
