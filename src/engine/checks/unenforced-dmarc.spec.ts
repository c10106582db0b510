import { truthTable } from '../testing/truth-table';
import { probeZone } from '../testing/probe-zone';
import { unenforcedDmarc } from './unenforced-dmarc';

const dmarc = (...TXT: string[]) => ({ '_dmarc.target.test': { TXT } });

truthTable(unenforcedDmarc, {
  vulnerable: dmarc('v=DMARC1; p=none; rua=mailto:dmarc@target.test'),
  fixed: dmarc('v=DMARC1; p=reject; rua=mailto:dmarc@target.test'),
  alsoVulnerable: {
    'the record is gone': {},
    'there are two': dmarc('v=DMARC1; p=reject', 'v=DMARC1; p=reject; pct=100'),
    'there is no policy': dmarc('v=DMARC1; rua=mailto:dmarc@target.test'),
    'the policy for names below is misspelt': dmarc('v=DMARC1; p=reject; sp=rejct; rua=mailto:dmarc@target.test'),
    'the policy is misspelt': dmarc('v=DMARC1; p=rejected'),
    'there are two policies': dmarc('v=DMARC1; p=none; p=reject'),
    'it holds for a part of the mail': dmarc('v=DMARC1; p=reject; pct=20'),
  },
  alsoFixed: {
    'forged mail is set aside': dmarc('v=DMARC1;P = Quarantine ; pct=100'),
    'there are empty tags': dmarc('v=DMARC1;; p=reject;;'),
    'names below are excepted': dmarc('v=DMARC1; p=reject; sp=none'),
  },
});

describe('unenforced-dmarc below a domain', () => {
  const own = { 'app.target.test': { MX: ['10 mx.other.test'] } };

  it.each([
    ['follows the domain', { ...own, ...dmarc('v=DMARC1; p=reject') }, 'not_vulnerable'],
    ['is excepted by the domain', { ...own, ...dmarc('v=DMARC1; p=reject; sp=none') }, 'vulnerable'],
    ['is included by the domain', { ...own, ...dmarc('v=DMARC1; p=none; sp=reject') }, 'not_vulnerable'],
    [
      'has a record of its own',
      { ...own, ...dmarc('v=DMARC1; p=none'), '_dmarc.app.target.test': { TXT: ['v=DMARC1; p=reject; sp=none'] } },
      'not_vulnerable',
    ],
  ])('judges a name that %s', async (_what, zone, state) => {
    expect(await probeZone(unenforcedDmarc, 'app.target.test', zone)).toMatchObject({ state });
  });
});
