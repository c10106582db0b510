import { truthTable } from '../testing/truth-table';
import { probeZone } from '../testing/probe-zone';
import { missingSpf } from './missing-spf';

const spf = (...TXT: string[]) => ({ 'target.test': { TXT } });
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
  },
  alsoFixed: {
    'what is not listed is suspect': {
      ...spf('other=1', 'V=SPF1 include:_spf.other.test ~ALL'),
      '_spf.other.test': { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] },
    },
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
});
