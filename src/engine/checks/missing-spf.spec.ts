import { truthTable } from '../testing/truth-table';
import { probeZone } from '../testing/probe-zone';
import { missingSpf } from './missing-spf';

const spf = (...TXT: string[]) => ({ 'target.test': { TXT } });
const names = (count: number): string[] => Array.from({ length: count }, (_none, at) => `n${at}.other.test`);
const elsewhere = (own: string, other: string) => ({ ...spf(own), 'spf.other.test': { TXT: [other] } });

truthTable(missingSpf, {
  vulnerable: {},
  fixed: spf('v=spf1 mx -all'),
  alsoVulnerable: {
    'there are other texts only': spf('site-verification=abc', 'spf1 -all', 'v=spf10 -all'),
    'everybody may send': spf('v=spf1 mx +all'),
    'everybody may send, without saying so': spf('v=spf1 mx all'),
    'it includes a name without a record': spf('v=spf1 include:gone.test -all'),
    'it has a word that receivers do not know': spf('v=spf1 ipv4:192.0.2.1 -all'),
    'it allows every address': spf('v=spf1 ip4:0.0.0.0/0 -all'),
    'no sender is refused': spf('v=spf1 mx ?all'),
    'nothing is said about the rest': spf('v=spf1 mx include:_spf.other.test'),
    'there are two': spf('v=spf1 mx -all', 'v=spf1 a -all'),
    'it leads to where nothing is': spf('v=spf1 redirect=spf.other.test'),
    'it leads to where everybody may send': elsewhere('v=spf1 redirect=spf.other.test', 'v=spf1 +all'),
    'it leads to itself': spf('v=spf1 redirect=target.test'),
    'it includes itself': spf('v=spf1 include:target.test -all'),
    'it includes twelve names': {
      ...spf(
        `v=spf1 ${names(12)
          .map((name) => `include:${name}`)
          .join(' ')} -all`,
      ),
      ...Object.fromEntries(names(12).map((name) => [name, { TXT: ['v=spf1 -all'] }])),
    },
    'the names that it includes include too many': {
      ...elsewhere(
        'v=spf1 include:spf.other.test -all',
        `v=spf1 ${names(10)
          .map((name) => `include:${name}`)
          .join(' ')} -all`,
      ),
      ...Object.fromEntries(names(10).map((name) => [name, { TXT: ['v=spf1 -all'] }])),
    },
    'it includes a name that everybody may send for': elsewhere('v=spf1 include:spf.other.test -all', 'v=spf1 +all'),
    'what it includes includes a name without a record': elsewhere(
      'v=spf1 include:spf.other.test -all',
      'v=spf1 include:gone.test -all',
    ),
    'it allows every address in two halves': spf('v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all'),
    'it allows every IPv6 address': spf('v=spf1 ip6:::/0 -all'),
    'it allows any sender that a macro finds': {
      ...spf('v=spf1 exists:%{i}.any.target.test -all'),
      '*.any.target.test': { A: ['127.0.0.2'] },
    },
    'three of its names do not exist': spf('v=spf1 a:one.gone.test a:two.gone.test a:three.gone.test -all'),
    'it has an address that is none': spf('v=spf1 ip4:999.1.1.1 -all'),
    'it has a prefix that is none': spf('v=spf1 ip4:192.0.2.0/33 -all'),
  },
  alsoFixed: {
    'what is not listed is suspect': {
      ...spf('other=1', 'V=SPF1 include:_spf.other.test ~ALL'),
      '_spf.other.test': { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] },
    },
    'it has a macro that finds nobody': spf('v=spf1 exists:%{ir}.any.target.test mx -all'),
    'two of its names do not exist': spf('v=spf1 a:one.gone.test a:two.gone.test -all'),
    'it is longer than one string': spf(`v=spf1 ${'ip4:192.0.2.1 '.repeat(30)}-all`),
    'it leads to a strict one': elsewhere('v=spf1 mx redirect=spf.other.test', 'v=spf1 -all'),
    'it has both, and the end counts': spf('v=spf1 -all redirect=spf.other.test'),
  },
  lookalikes: { 'it depends on who sends': spf('v=spf1 redirect=%{l}.target.test') },
});

describe('missing-spf below a domain', () => {
  it.each([
    ['takes no mail', {}, 'not_vulnerable'],
    ['takes mail', { MX: ['10 mx.other.test'] }, 'vulnerable'],
    ['takes mail and has a record', { MX: ['10 mx.other.test'], TXT: ['v=spf1 mx -all'] }, 'not_vulnerable'],
  ])('judges a name that %s', async (_what, records, state) => {
    const zone = { 'app.target.test': { A: ['192.0.2.1'], ...records } };
    expect(await probeZone(missingSpf, 'app.target.test', zone)).toMatchObject({ state });
  });

  it('is not fixed by no longer taking mail', async () => {
    const before = { 'app.target.test': { A: ['192.0.2.1'], MX: ['10 mx.other.test'] } };
    const now = { 'app.target.test': { A: ['192.0.2.1'] } };
    expect(await probeZone(missingSpf, 'app.target.test', now, before)).toMatchObject({
      state: 'inconclusive',
      detail: 'app.target.test takes no mail any more, but may still send it',
    });
  });
});
