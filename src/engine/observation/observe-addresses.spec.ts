import { PassThrough } from 'node:stream';
import { Cidr } from '../../kernel/cidr';
import { ExchangeError, type FailureCode } from '../transport/exchange';
import type { Route } from '../transport/route';
import { Transport } from '../transport/transport';
import type { HostSeen } from './host-seen';
import { type AddressToSearch, observeAddresses } from './observe-addresses';
import type { ObservationOptions } from './observe-host';

const SEARCHED = [22, 80];
const PORTS = [80, 22, 9200, 9300];
const options: ObservationOptions = {
  paces: { host: { perSecond: 1_000, concurrency: 4 }, shared: { perSecond: 1_000, concurrency: 16 } },
};

/** A network behind a beacon, in which each endpoint answers as configured. */
class Network implements Route {
  readonly key = 'beacon 1';
  readonly cidrs = [Cidr.parse('10.50.0.0/24', 'cidr')];
  readonly dialled: string[] = [];
  readonly isProven = async (): Promise<boolean> => true;
  readonly resolve = async (): Promise<string[]> => [];

  constructor(private readonly answer: (endpoint: string) => FailureCode | null) {}

  /** Null is an open port that sends nothing. */
  async connect({ address, port }: { address: string; port: number }): Promise<PassThrough> {
    this.dialled.push(`${address}:${port}`);
    const code = this.answer(`${address}:${port}`);
    if (code !== null) throw new ExchangeError(code, 'no');
    return new PassThrough().end();
  }

  portsOf(address: string): number[] {
    return this.dialled.flatMap((endpoint) =>
      endpoint.startsWith(`${address}:`) ? Number(endpoint.split(':')[1]) : [],
    );
  }
}

const addresses = (count: number, first = 1): AddressToSearch[] =>
  Array.from({ length: count }, (_one, at) => ({ address: `10.50.0.${first + at}`, known: null }));

const observe = (route: Network, searched: readonly AddressToSearch[]): Promise<HostSeen[]> =>
  observeAddresses(
    new Transport({ userAgent: 'engine-spec' }),
    { addresses: searched, searched: SEARCHED, ports: PORTS },
    { signal: new AbortController().signal, route },
    options,
  );

const statesOf = (hosts: readonly HostSeen[], address: string) =>
  hosts.find((host) => host.address === address)?.ports.map(({ port, state }) => `${port} ${state}`);

describe('observing the addresses of a block', () => {
  it('tries silent addresses on the few ports of the search, and those that answer on all', async () => {
    const network = new Network((endpoint) => (endpoint.startsWith('10.50.0.3:') ? 'refused' : 'unreachable'));
    const hosts = await observe(network, addresses(6));
    expect(network.portsOf('10.50.0.2')).toEqual(SEARCHED);
    expect(new Set(network.portsOf('10.50.0.3'))).toEqual(new Set(PORTS));
    expect(statesOf(hosts, '10.50.0.2')).toEqual(['22 filtered', '80 filtered']);
    expect(statesOf(hosts, '10.50.0.3')).toEqual(PORTS.toSorted((a, b) => a - b).map((port) => `${port} closed`));
    expect(hosts).toHaveLength(6);
  });

  it('tries an address until a port is open, and then all ports', async () => {
    const network = new Network((endpoint) => (endpoint === '10.50.0.1:22' ? null : 'unreachable'));
    const hosts = await observe(network, addresses(3));
    expect(network.portsOf('10.50.0.1')[0]).toBe(22);
    expect(network.portsOf('10.50.0.1').filter((port) => port === 80)).toHaveLength(1);
    expect(statesOf(hosts, '10.50.0.1')).toEqual(['22 open', '80 filtered', '9200 filtered', '9300 filtered']);
  });

  it('looks at no host on all ports where a firewall refuses for every address, but at those that were known', async () => {
    const network = new Network(() => 'refused');
    const [first, ...others] = addresses(6);
    await observe(network, [{ address: first?.address ?? '', known: [] }, ...others]);
    expect(new Set(network.portsOf('10.50.0.1'))).toEqual(new Set(PORTS));
    for (const { address } of others) expect(network.portsOf(address)).toEqual(SEARCHED);
  });

  it('tries a known host on the ports that it had open, too', async () => {
    const network = new Network((endpoint) => (endpoint === '10.50.0.1:9200' ? 'refused' : 'unreachable'));
    const hosts = await observe(network, [{ address: '10.50.0.1', known: [9200] }, ...addresses(3, 2)]);
    expect(network.portsOf('10.50.0.1')[0]).toBe(9200);
    expect(statesOf(hosts, '10.50.0.1')).toContain('9200 closed');
  });

  it('says nothing about addresses that may not be dialled', async () => {
    const network = new Network(() => 'refused');
    const hosts = await observe(network, [{ address: '10.51.0.1', known: null }]);
    expect(hosts).toEqual([{ address: '10.51.0.1', ports: [], stopped: null }]);
    expect(network.dialled).toEqual([]);
  });
});
