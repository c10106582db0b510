import { truthTable } from '../testing/truth-table';
import { probeZone } from '../testing/probe-zone';
import { missingCaa } from './missing-caa';

const caa = (...CAA: string[]) => ({ 'target.test': { CAA } });

truthTable(missingCaa, {
  vulnerable: {},
  fixed: caa('0 issue letsencrypt.org'),
  alsoVulnerable: {
    'only wildcards are limited': caa('0 issuewild ca.test'),
    'only reports are asked for': caa('0 iodef mailto:security@target.test'),
  },
  alsoFixed: {
    'no authority may issue': caa('0 issue ;'),
    'it is one of several': caa('0 iodef mailto:security@target.test', '128 issue ca.test'),
  },
});

describe('missing-caa below a domain', () => {
  const app = { A: ['192.0.2.1'] };

  it.each([
    ['has none and whose domain has none', { 'app.target.test': app }, 'vulnerable'],
    ['follows the domain', { 'app.target.test': app, ...caa('0 issue ca.test') }, 'not_vulnerable'],
    [
      'has some of its own, which count alone',
      { 'app.target.test': { ...app, CAA: ['0 iodef mailto:x@target.test'] }, ...caa('0 issue ca.test') },
      'vulnerable',
    ],
    [
      'is an alias of one that has some',
      { 'app.target.test': { CNAME: ['cloud.test'] }, 'cloud.test': { CAA: ['0 issue ca.test'] } },
      'not_vulnerable',
    ],
    ['has some only above the domain', { 'app.target.test': app, test: { CAA: ['0 issue ca.test'] } }, 'vulnerable'],
  ])('judges a name that %s', async (_what, zone, state) => {
    expect(await probeZone(missingCaa, 'app.target.test', zone)).toMatchObject({ state });
  });
});
