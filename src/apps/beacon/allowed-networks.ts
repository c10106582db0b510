import type { Endpoint } from '../../beacon-protocol/endpoint';
import { isClosedToBeacons } from '../../kernel/address-ranges';
import { canonicalIp, type Cidr } from '../../kernel/cidr';

export interface NetworkLimits {
  /** The networks of the beacon as the service sent them last. */
  readonly configured: readonly Cidr[];
  /** The limit of the owner of this machine; undefined if there is none. */
  readonly local: readonly Cidr[] | undefined;
  /** The service that this agent is connected to, and its proxy. */
  readonly service: readonly Endpoint[];
}

const contains = (blocks: readonly Cidr[], address: string): boolean => blocks.some((block) => block.contains(address));

/** Which addresses the agent connects to: inside of the networks of the beacon and of the local limit. */
export class AllowedNetworks {
  constructor(private readonly limits: NetworkLimits) {}

  /** Why the agent does not connect to this endpoint, as a part of a sentence; null if it may. */
  refusal({ address, port }: Endpoint): string | null {
    const { configured, local, service } = this.limits;
    const canonical = canonicalIp(address);
    if (canonical === null) return 'its address is not an IP address';
    if (isClosedToBeacons(canonical)) return 'beacons may not connect to its address';
    if (service.some((own) => own.port === port && canonicalIp(own.address) === canonical))
      return 'its address belongs to the service or to its proxy';
    if (!contains(configured, canonical)) return 'its address is outside the blocks of the beacon';
    if (local !== undefined && !contains(local, canonical))
      return 'its address is outside the local limit of the agent (--allow)';
    return null;
  }

  /** Why the agent does not ask this name server, which the service chose; null if it may. */
  nameServerRefusal(address: string, ofMachine: readonly string[]): string | null {
    const { local } = this.limits;
    const canonical = canonicalIp(address);
    if (canonical === null) return 'is not an IP address';
    if (ofMachine.some((own) => canonicalIp(own) === canonical)) return null;
    if (isClosedToBeacons(canonical)) return 'is an address that beacons may not use';
    if (local !== undefined && !contains(local, canonical))
      return 'is outside the local limit of the agent (--allow), and is not a name server of this machine';
    return null;
  }
}
