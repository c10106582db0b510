import type { HostSeen, PortSeen } from '../../../engine';
import type { KnownHost, KnownPort } from './asset-change';
import { withinCapacity } from './within-capacity';

const known = (number: number): KnownPort => ({
  port: number,
  isOpen: true,
  service: null,
  security: null,
  certificate: null,
  notifiedDays: null,
  technologies: [],
  misses: 0,
});
const host = (address: string, ...ports: number[]): KnownHost => ({
  address,
  isGone: false,
  misses: 0,
  ports: ports.map(known),
});
const seen = (address: string, state: PortSeen['state'], ...ports: number[]): HostSeen => ({
  address,
  stopped: null,
  ports: ports.map((port) => ({
    port,
    state,
    service: null,
    security: null,
    certificate: null,
    technologies: [],
  })),
});

describe('withinCapacity', () => {
  it('stores what is stored already, and new hosts and ports up to the capacity', () => {
    const stored = withinCapacity([host('a', 1)], [host('a', 1, 2, 3), host('b', 1, 2), host('c', 1, 2, 3)], [], {
      hosts: 1,
      ports: 3,
    });
    expect(stored.hosts.map(({ address, ports }) => [address, ports.map(({ port }) => port)])).toEqual([
      ['a', [1, 2, 3]],
      ['b', [1]],
    ]);
    // A port of b, and c with three ports.
    expect(stored.notStored).toBe(5);
  });

  it('says which hosts and ports the look showed', () => {
    const hosts = [host('a', 1), host('b', 1), host('c', 1)];
    const looks = [seen('a', 'open', 1), seen('b', 'closed', 1), seen('c', 'filtered', 1)];
    const stored = withinCapacity(hosts, hosts, looks, { hosts: 0, ports: 0 });
    expect(stored.hosts.map(({ isSeen, ports }) => [isSeen, ports[0]?.isSeen])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });
});
