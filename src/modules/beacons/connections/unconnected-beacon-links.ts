import { Injectable } from '@nestjs/common';
import { Cidr } from '../../../kernel/cidr';
import type { Scope } from '../../../platform/api/scope';
import { BeaconsRepository } from '../data/beacons.repository';
import { type BeaconLink, BeaconLinks, LinkError, type ReachableBeacon } from './beacon-link';

/** Until agents can connect: knows the beacons, of which none is connected. */
@Injectable()
export class UnconnectedBeaconLinks extends BeaconLinks {
  constructor(private readonly beacons: BeaconsRepository) {
    super();
  }

  async find(scope: Scope, organizationId: number, beaconId: number): Promise<ReachableBeacon | undefined> {
    const beacon = await this.beacons.findOne(scope, organizationId, beaconId);
    if (beacon === undefined) return undefined;
    const { id, name, allowedCidrs } = beacon;
    const cidrs = allowedCidrs.map((block) => Cidr.parse(block, 'allowed_cidrs'));
    return { id, organizationId, name, cidrs, isConnected: false, agentVersion: null };
  }

  open(): Promise<BeaconLink> {
    return Promise.reject(new LinkError('lost', 'no agent of the beacon is connected'));
  }
}
