import { Injectable } from '@nestjs/common';
import type { Beacon } from '../../modules/beacons';
import {
  DiscoveriesService,
  type Discovery,
  type DiscoveryPlace,
  type DiscoveryView,
  isDiscoveryOver,
} from '../../modules/discovery';
import { Scope } from '../../platform/api/scope';
import type { Place } from '../http/places';
import type { Followed } from '../live/live-streams';
import { DiscoveryProgressPart } from './discovery-progress';

export interface DiscoveryPageView extends DiscoveryView {
  readonly beacon: Beacon;
  readonly mayDiscover: boolean;
  readonly mayAdd: boolean;
}

@Injectable()
export class DiscoveryReader {
  constructor(private readonly discoveries: DiscoveriesService) {}

  async read({ caller, organizationId, beacon }: Place<'beacon'>, uuid: string): Promise<DiscoveryPageView> {
    const view = await this.discoveries.view(caller.scope, { organizationId, beaconId: beacon.id, uuid });
    return {
      ...view,
      beacon,
      mayDiscover: caller.hasRole('admin', organizationId),
      mayAdd: caller.hasRole('member', organizationId),
    };
  }

  follow(place: DiscoveryPlace): Followed<Discovery> {
    return {
      key: `discovery ${place.uuid}`,
      organizationId: place.organizationId,
      read: async () => {
        const state = await this.discoveries.get(Scope.organizations([place.organizationId]), place);
        return { state, isOver: isDiscoveryOver(state.status), isMoving: state.status !== 'PENDING' };
      },
      render: (discovery) => <DiscoveryProgressPart discovery={discovery} />,
    };
  }
}
