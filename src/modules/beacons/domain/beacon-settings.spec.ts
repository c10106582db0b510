import { type BeaconSettings, differences, toWireFormat } from './beacon-settings';

const current: BeaconSettings = {
  observe: true,
  name: 'office',
  allowedCidrs: ['10.0.0.0/8', 'fd00::/8'],
  dnsServer: '10.0.0.53',
  interfaceName: null,
};

describe('the differences of a change', () => {
  it.each<[wanted: Partial<BeaconSettings>, to: Partial<BeaconSettings>]>([
    [{}, {}],
    [current, {}],
    [{ name: undefined, dnsServer: undefined }, {}],
    [{ name: 'branch', allowedCidrs: ['10.0.0.0/8', 'fd00::/8'] }, { name: 'branch' }],
    [{ allowedCidrs: ['fd00::/8', '10.0.0.0/8'] }, { allowedCidrs: ['fd00::/8', '10.0.0.0/8'] }],
    [{ dnsServer: null }, { dnsServer: null }],
  ])('of %j: %j', (wanted, to) => {
    expect(differences(current, wanted).to).toEqual(to);
  });

  it('include the previous values', () => {
    expect(differences(current, { name: 'office', dnsServer: null }).from).toEqual({ dnsServer: '10.0.0.53' });
  });

  it('use the field names of the API', () => {
    expect(toWireFormat({ name: 'x', dnsServer: null, allowedCidrs: [], interfaceName: 'eth0' })).toEqual({
      name: 'x',
      dns_server: null,
      allowed_cidrs: [],
      interface_name: 'eth0',
    });
  });
});
