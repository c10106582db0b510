import { truthTable } from '../testing/truth-table';
import { probeZone } from '../testing/probe-zone';
import { missingDmarc } from './missing-dmarc';

const dmarc = (...TXT: string[]) => ({ '_dmarc.target.test': { TXT } });

truthTable(missingDmarc, {
  vulnerable: {},
  fixed: dmarc('v=DMARC1; p=reject'),
  alsoVulnerable: {
    'there are other texts only': dmarc('site-verification=abc', 'v=DMARC10; p=reject', 'p=reject; v=DMARC1'),
    'there are two': dmarc('v=DMARC1; p=reject', 'v=DMARC1; p=none'),
    'it has no policy': dmarc('v=DMARC1'),
    'its policy is misspelt': dmarc('v=DMARC1; p=rejct'),
    'its policy for names below is misspelt': dmarc('v=DMARC1; p=reject; sp=rejct'),
    'it has no policy, and no address for reports': dmarc('v=DMARC1; rua=dmarc'),
    'it is at the domain itself': { 'target.test': { TXT: ['v=DMARC1; p=reject'] } },
  },
  alsoFixed: {
    'it only asks for reports': dmarc('v=DMARC1;p=none;rua=mailto:dmarc@target.test'),
    'it has spaces': dmarc('v = DMARC1 ; p = reject'),
    'it asks for reports without a policy': dmarc('v=DMARC1; rua=https://reports.test/a,mailto:dmarc@target.test'),
  },
});

const MX = ['10 mx.other.test'];

describe('missing-dmarc below a domain', () => {
  it.each([
    ['takes no mail', { 'app.target.test': { A: ['192.0.2.1'] } }, 'not_vulnerable'],
    ['takes mail', { 'app.target.test': { MX } }, 'vulnerable'],
    [
      'takes mail, with a record of the domain',
      { 'app.target.test': { MX }, ...dmarc('v=DMARC1; p=none') },
      'not_vulnerable',
    ],
  ])('judges a name that %s', async (_what, zone, state) => {
    expect(await probeZone(missingDmarc, 'app.target.test', zone)).toMatchObject({ state });
  });
});
