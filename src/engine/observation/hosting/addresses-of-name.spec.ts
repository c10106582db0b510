import { Cidr } from '../../../kernel/cidr';
import { NameServer, type Zone } from '../../testing/name-server';
import { Transport, type Via } from '../../transport/transport';
import { addressesOfName } from './addresses-of-name';

const via: Via = { signal: new AbortController().signal };

async function resolve(zone: Zone, name: string, mode: NameServer['mode'] = 'answer') {
  const names = await NameServer.start(zone);
  names.mode = mode;
  try {
    return await addressesOfName(new Transport({ userAgent: 'engine-tests', dnsServers: [names.address] }), name, via);
  } finally {
    await names.stop();
  }
}

describe('addressesOfName', () => {
  it('returns all addresses in one order, and the chain of aliases', async () => {
    const end = { A: ['192.0.2.20', '192.0.2.3'], AAAA: ['2001:db8::1'] };
    const zone = {
      'www.site.test': { CNAME: ['Edge.cdn.test'], ...end },
      'edge.cdn.test': { CNAME: ['end.cdn.test'], ...end },
      'end.cdn.test': end,
    };
    expect(await resolve(zone, 'www.site.test')).toEqual({
      addresses: ['192.0.2.3', '192.0.2.20', '2001:db8::1'],
      chain: ['edge.cdn.test', 'end.cdn.test'],
    });
  });

  it('returns neither for a name that does not exist', async () => {
    expect(await resolve({}, 'gone.test')).toEqual({ addresses: [], chain: [] });
  });

  it('returns an address for itself, in its canonical form', async () => {
    expect(await resolve({}, '2001:DB8:0::1')).toEqual({ addresses: ['2001:db8::1'], chain: [] });
  });

  it('throws for too many aliases, and where the name servers fail', async () => {
    const aliases = (count: number): Zone =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}.test`, { CNAME: [`a${at + 1}.test`] }]));
    expect((await resolve(aliases(8), 'a0.test')).chain).toHaveLength(8);
    await expect(resolve(aliases(9), 'a0.test')).rejects.toThrow('have no end');
    await expect(resolve({}, 'a.test', 'servfail')).rejects.toThrow('did not answer for a.test (A)');
  });

  it('asks the beacon alone for a name behind it', async () => {
    const route = {
      key: 'beacon',
      cidrs: [Cidr.parse('10.0.0.0/8', 'block')],
      isProven: async () => false,
      resolve: async (host: string) => [host === 'intranet.test' ? '10.0.0.7' : '10.0.0.1'],
      connect: () => Promise.reject(new Error('nothing is dialled')),
    };
    const transport = new Transport({ userAgent: 'engine-tests', dnsServers: ['127.0.0.1:1'] });
    expect(await addressesOfName(transport, 'intranet.test', { ...via, route })).toEqual({
      addresses: ['10.0.0.7'],
      chain: [],
    });
  });
});
