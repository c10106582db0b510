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
    'it is at the domain itself': { 'target.test': { TXT: ['v=DMARC1; p=reject'] } },
  },
  alsoFixed: { 'it only asks for reports': dmarc('v=DMARC1;p=none;rua=mailto:dmarc@target.test') },
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
