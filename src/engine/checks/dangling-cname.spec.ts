import { truthTable } from '../testing/truth-table';
import { probeZone } from '../testing/probe-zone';
import { danglingCname } from './dangling-cname';

const SOA = ['ns1.cloud.test hostmaster.cloud.test 1'];
const alias = { 'target.test': { CNAME: ['app.cloud.test'] } };
const moved = { 'target.test': { CNAME: ['new.cloud.test'] } };
const cloud = { 'cloud.test': { SOA } };

truthTable(danglingCname, {
  vulnerable: { ...alias, ...cloud },
  fixed: {},
  alsoVulnerable: {
    'it leads on to nothing': { ...alias, ...cloud, 'app.cloud.test': { CNAME: ['eu.cloud.test'] } },
    'the domain that it leads to is gone as well': alias,
  },
  alsoFixed: {
    'it leads to another name': { ...moved, ...cloud, 'new.cloud.test': { A: ['192.0.2.1'] } },
    'the other name has an IPv6 address only': { ...moved, ...cloud, 'new.cloud.test': { AAAA: ['2001:db8::1'] } },
    'the other name has no address': { ...moved, ...cloud, 'new.cloud.test': { TXT: ['here'] } },
    'the other name leads to a name that exists': {
      ...moved,
      'new.cloud.test': { CNAME: ['eu.cloud.test'] },
      'eu.cloud.test': { A: ['192.0.2.1'] },
    },
  },
  lookalikes: {
    'it leads in a circle': { 'target.test': { CNAME: ['target.test'] } },
    'the name that it leads to is registered again': { ...alias, ...cloud, 'app.cloud.test': { A: ['192.0.2.1'] } },
    'the name that it leads to leads to a name that exists': {
      ...alias,
      'app.cloud.test': { CNAME: ['eu.cloud.test'] },
      'eu.cloud.test': { A: ['192.0.2.1'] },
    },
    'it leads to the old name in another way': {
      ...moved,
      'new.cloud.test': { CNAME: ['App.Cloud.test'] },
      'app.cloud.test': { A: ['192.0.2.1'] },
    },
  },
});

describe('dangling-cname', () => {
  const own = { 'app.target.test': { CNAME: ['app.gone.test'] } };

  it('says that the domain is free as well', async () => {
    const { detail } = await probeZone(danglingCname, 'app.target.test', own);
    expect(detail).toMatch(/app\.gone\.test, which does not exist; nor does gone\.test/);
  });

  it('does not say so of a domain that is taken', async () => {
    const { detail } = await probeZone(danglingCname, 'app.target.test', { ...own, 'gone.test': { SOA } });
    expect(detail).toMatch(/app\.gone\.test, which does not exist\.$/);
  });

  it('finds nothing where an alias leads to a name that exists', async () => {
    const zone = { ...own, 'app.gone.test': { A: ['192.0.2.1'] } };
    expect(await probeZone(danglingCname, 'app.target.test', zone)).toMatchObject({ state: 'not_vulnerable' });
  });

  it('treats a subdomain with a deleted entry as fixed', async () => {
    expect(await probeZone(danglingCname, 'app.target.test', {})).toMatchObject({ state: 'not_vulnerable' });
  });
});
