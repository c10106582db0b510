import { Injectable } from '@nestjs/common';
import { compareAddresses } from '../../kernel/cidr';
import type { DomainError } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { BeaconsService } from '../beacons';
import { type Organization, OrganizationsService } from '../organizations';
import { AssetsService } from './assets.service';
import { AssetsRepository } from './data/assets.repository';
import { assetsLimitReached } from './domain/asset.errors';
import { canonicalAsset } from './domain/asset-value';
import { factsOfNew, newAsset } from './new-asset';

export interface BeaconPlace {
  readonly organizationId: number;
  readonly beaconId: number;
}

/** The result of adding an address. */
export interface AddedAddress {
  readonly address: string;
  readonly result: 'added' | 'exists' | 'refused';
  /** Why it was refused. */
  readonly error: DomainError | null;
}

/** The addresses behind a beacon that are assets. */
@Injectable()
export class BeaconAssetsService {
  constructor(
    private readonly rows: AssetsRepository,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly beacons: BeaconsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The ids of assets by their address. */
  async idsOf(scope: Scope, place: BeaconPlace, addresses: readonly string[]): Promise<Map<string, number>> {
    if (addresses.length === 0) return new Map();
    const assets = await this.rows.listBehindBeacon(scope, place.organizationId, place.beaconId, addresses);
    return new Map(assets.map(({ id, value }) => [value, id]));
  }

  /** Adds canonical addresses up to the limit of the organization, each with an audit entry. Those that exist stay as they are. */
  async add(caller: Caller, place: BeaconPlace, addresses: readonly string[]): Promise<AddedAddress[]> {
    const { organizationId, beaconId } = place;
    const organization = await this.organizations.get(caller.scope, organizationId);
    await this.beacons.get(caller.scope, organizationId, beaconId);
    caller.requireRole('member', organizationId);
    await this.assets.lockForAdding(caller.scope, organization);
    const known = await this.idsOf(caller.scope, place, addresses);
    let capacity = await this.capacityOf(organization);
    const results: AddedAddress[] = [];
    // In one order, so that concurrent requests with the same addresses do not wait for each other in a circle.
    for (const address of addresses.toSorted(compareAddresses)) {
      const isKnown = known.has(address);
      const error = isKnown || capacity > 0 ? null : assetsLimitReached(organization.assetsLimit ?? 0);
      const isAdded = !isKnown && error === null && (await this.addOne(organization, beaconId, address));
      if (isAdded) capacity--;
      results.push({ address, result: isAdded ? 'added' : error === null ? 'exists' : 'refused', error });
    }
    return results;
  }

  /** Returns whether it was added: another request may have added it meanwhile. */
  private async addOne(organization: Organization, beaconId: number, address: string): Promise<boolean> {
    const asset = newAsset(organization, canonicalAsset('ip', address), { beaconId });
    const id = await this.rows.saveIfMissing(asset);
    if (id === undefined) return false;
    const part = { operation: 'asset.create', resourceType: 'asset', resourceId: String(id) } as const;
    await this.unitOfWork.recordPart(part, { organizationId: organization.id, metadata: factsOfNew(asset) });
    return true;
  }

  /** How many assets may be added. */
  private async capacityOf({ id, assetsLimit }: Organization): Promise<number> {
    return assetsLimit === null ? Infinity : assetsLimit - (await this.rows.countOf(id));
  }
}
