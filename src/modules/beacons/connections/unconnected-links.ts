import { Injectable } from '@nestjs/common';
import { Cidr } from '../../../kernel/cidr';
import type { Scope } from '../../../platform/api/scope';
import { BeaconsRepository } from '../data/beacons.repository';
import { BeaconLinks, LinkError, type ReachableBeacon } from './beacon-link';

/** The links of a service to which no agent can connect yet. */
@Injectable()
export class UnconnectedLinks extends BeaconLinks {
  constructor(private readonly beacons: BeaconsRepository) {
    super();
  }

  override async find(scope: Scope, organizationId: number, beaconId: number): Promise<ReachableBeacon | undefined> {
    const beacon = await this.beacons.findOne(scope, organizationId, beaconId);
    if (beacon === undefined) return undefined;
    const { id, name, allowedCidrs } = beacon;
    const cidrs = allowedCidrs.map((block) => Cidr.parse(block, 'allowed_cidrs'));
    return { id, organizationId, name, cidrs, isConnected: false, agentVersion: null };
  }

  override open(): Promise<never> {
    return Promise.reject(new LinkError('lost', 'no agent of the beacon is connected'));
  }
}
