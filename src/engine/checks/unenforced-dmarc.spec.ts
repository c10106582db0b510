import { truthTable } from '../testing/truth-table';
import { lookAt } from '../testing/probe-zone';
import { unenforcedDmarc } from './unenforced-dmarc';

const dmarc = (...TXT: string[]) => ({ '_dmarc.target.test': { TXT } });

truthTable(unenforcedDmarc, {
  weak: dmarc('v=DMARC1; p=none; rua=mailto:dmarc@target.test'),
  mended: dmarc('v=DMARC1; p=reject; rua=mailto:dmarc@target.test'),
  alsoWeak: {
    'the record is gone': {},
    'there are two': dmarc('v=DMARC1; p=reject', 'v=DMARC1; p=reject; pct=100'),
    'there is no policy': dmarc('v=DMARC1; rua=mailto:dmarc@target.test'),
    'the policy is misspelt': dmarc('v=DMARC1; p=rejected'),
    'it holds for a part of the mail': dmarc('v=DMARC1; p=reject; pct=20'),
  },
  alsoMended: {
    'forged mail is set aside': dmarc('v=DMARC1;P = Quarantine ; pct=100'),
    'names below are excepted': dmarc('v=DMARC1; p=reject; sp=none'),
  },
});

describe('unenforced-dmarc below a domain', () => {
  const own = { 'app.target.test': { MX: ['10 mx.other.test'] } };

  it.each([
    ['follows the domain', { ...own, ...dmarc('v=DMARC1; p=reject') }, 'sound'],
    ['is excepted by the domain', { ...own, ...dmarc('v=DMARC1; p=reject; sp=none') }, 'weak'],
    ['is included by the domain', { ...own, ...dmarc('v=DMARC1; p=none; sp=reject') }, 'sound'],
    [
      'has a record of its own',
      { ...own, ...dmarc('v=DMARC1; p=none'), '_dmarc.app.target.test': { TXT: ['v=DMARC1; p=reject; sp=none'] } },
      'sound',
    ],
  ])('is told of a name that %s', async (_what, zone, state) => {
    expect(await lookAt(unenforcedDmarc, 'app.target.test', zone)).toMatchObject({ state });
  });
});
