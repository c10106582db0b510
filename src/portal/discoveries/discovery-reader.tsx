import { Injectable } from '@nestjs/common';
import { type Beacon, BeaconsService } from '../../modules/beacons';
import {
  DiscoveriesService,
  type Discovery,
  type DiscoveryPlace,
  type DiscoveryView,
  isDiscoveryOver,
} from '../../modules/discovery';
import type { Caller } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import type { Followed } from '../live/live-streams';
import { DiscoveryProgressPart } from './discovery-progress';

export interface DiscoveryPageView extends DiscoveryView {
  readonly beacon: Beacon;
  readonly mayDiscover: boolean;
  readonly mayAdd: boolean;
}

@Injectable()
export class DiscoveryReader {
  constructor(
    private readonly discoveries: DiscoveriesService,
    private readonly beacons: BeaconsService,
  ) {}

  async read(caller: Caller, place: DiscoveryPlace): Promise<DiscoveryPageView> {
    const view = await this.discoveries.view(caller.scope, place);
    return {
      ...view,
      beacon: await this.beacons.get(caller.scope, place.organizationId, place.beaconId),
      mayDiscover: caller.hasRole('admin', place.organizationId),
      mayAdd: caller.hasRole('member', place.organizationId),
    };
  }

  follow(place: DiscoveryPlace): Followed<Discovery> {
    return {
      key: `discovery ${place.uuid}`,
      read: async () => {
        const state = await this.discoveries.get(Scope.organizations([place.organizationId]), place);
        return { state, isOver: isDiscoveryOver(state.status) };
      },
      render: (discovery) => <DiscoveryProgressPart discovery={discovery} />,
      requireAccess: (caller) => this.discoveries.get(caller.scope, place),
    };
  }
}
