import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import {
  type AssetChangeRow,
  type AssetObservation,
  type HostWithPorts,
  ObservationSettings,
  ObservationsService,
  type Observation,
  ObservedHosts,
} from '../../modules/observations';
import type { Place } from '../http/places';

const HOSTS = { page: 1, perPage: 10, isCounted: true } as const;
const NEWEST = { page: 1, perPage: 20 } as const;

export interface ObservationView extends AssetObservation {
  readonly organizationId: number;
  /** Whether the assets of the organization are observed. */
  readonly isEnabled: boolean;
  readonly hosts: Slice<HostWithPorts>;
  readonly changes: Slice<AssetChangeRow>;
  readonly newest: Observation | undefined;
  /** Why the asset may not be observed, and what to do; null if it may. */
  readonly obstacle: string | null;
  readonly mayObserve: boolean;
  /** Whether the caller decides which ports are tried, and about the host. */
  readonly mayDecide: boolean;
}

/** Reads what observations have shown of an asset. */
@Injectable()
export class ObservationReader {
  constructor(
    private readonly observations: ObservationsService,
    private readonly settings: ObservationSettings,
    private readonly hosts: ObservedHosts,
  ) {}

  async read({ caller, organizationId, asset: { id } }: Place<'asset'>): Promise<ObservationView> {
    const { scope } = caller;
    const { asset, ...known } = await this.settings.ofAsset(scope, id);
    const [{ isEnabled }, hosts, changes, newest, obstacle] = await Promise.all([
      this.settings.ofOrganization(scope, organizationId),
      this.hosts.listFor(scope, id, HOSTS),
      this.hosts.listChangesOfAsset(scope, id, {}, NEWEST),
      this.observations.newestOf(scope, id),
      this.observations.obstacleTo(scope, asset),
    ]);
    const mayObserve = caller.hasRole('member', organizationId);
    const mayDecide = caller.hasRole('admin', organizationId);
    return { asset, ...known, organizationId, isEnabled, hosts, changes, newest, obstacle, mayObserve, mayDecide };
  }

  async assetsWithExpiringCertificate({ caller, organizationId }: Place): Promise<number[]> {
    const expiring = await this.hosts.listExpiring(caller.scope, organizationId);
    return expiring.map(({ assetId }) => assetId);
  }

  changes({ caller, asset: { id } }: Place<'asset'>, page: Page): Promise<Slice<AssetChangeRow>> {
    return this.hosts.listChangesOfAsset(caller.scope, id, {}, page);
  }
}
