import { Injectable } from '@nestjs/common';
import { type DomainError, unprocessable } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { everything } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { AssetsService } from './assets.service';
import type { Asset } from './data/asset.entity';
import { AssetsRepository } from './data/assets.repository';
import { type AssetOfPlace, assetOfPlace, isDoubt, type ResultPlace, resultPlaceOf } from './domain/asset-of-place';
import { assetsLimitReached } from './domain/asset.errors';
import { recognizeAsset } from './domain/asset-value';
import { selfAndParents } from './domain/domain-name';
import { factsOfNew, newAsset } from './new-asset';

export type ScannedAsset = Pick<Asset, 'id' | 'value' | 'beaconId' | 'tier'>;

/** The asset of each place that has one, by the place itself. */
export type AssetsOfPlaces = ReadonlyMap<ResultPlace, AssetOfPlace<ScannedAsset>>;

const scope = everything('an import writes to the organization that it belongs to');

/** The assets that the results of a scanner's file are on. Call it in the unit of work that records them. */
@Injectable()
export class ScannedAssetsService {
  constructor(
    private readonly rows: AssetsRepository,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** If a beacon is named, only assets behind it count. None of these assets is deleted until the transaction ends. */
  async find(
    organizationId: number,
    places: readonly ResultPlace[],
    beaconId: number | null = null,
  ): Promise<AssetsOfPlaces> {
    const found = new Map<ResultPlace, AssetOfPlace<ScannedAsset>>();
    if (places.length === 0) return found;
    const hosts = [...new Set(places.map(({ host }) => host))];
    const covering = await this.rows.lockCovering(organizationId, hosts);
    const candidates = covering.filter((asset) => beaconId === null || asset.beaconId === beaconId);
    for (const place of places) {
      const answer = assetOfPlace(candidates, place);
      if (answer !== undefined) found.set(place, answer);
    }
    return found;
  }

  /** By its value, also of a URL or a block. */
  async findByValue(
    organizationId: number,
    value: string,
    beaconId: number | null = null,
  ): Promise<ScannedAsset | undefined> {
    return this.assets.findByValue(scope, organizationId, value, beaconId);
  }

  /** Before anything else is locked: additions are counted one at a time if the organization has a limit. */
  async lockForAdding(organizationId: number): Promise<void> {
    await this.assets.lockForAdding(scope, await this.organizations.get(scope, organizationId));
  }

  /**
   * What `add` would return, without adding anything. No asset has the id 0. `earlier` are the values that earlier calls would
   * have added; those of this call become a part of it.
   */
  async preview(
    organizationId: number,
    values: readonly string[],
    earlier: Set<string>,
    beaconId: number | null,
  ): Promise<Map<string, ScannedAsset | DomainError>> {
    const { assetsLimit } = await this.organizations.get(scope, organizationId);
    const limit = assetsLimit ?? Infinity;
    const count = (await this.rows.countOf(organizationId)) + earlier.size;
    const added: string[] = [];
    const results = new Map<string, ScannedAsset | DomainError>();
    for (const value of [...values].sort()) {
      const host = resultPlaceOf(value)?.host ?? value;
      const covering = [value, ...selfAndParents(host)].find((name) => earlier.has(inNetwork(name, beaconId)));
      if (covering === undefined && recognizeAsset(value) === undefined) {
        results.set(value, notAdded(value));
      } else if (covering === undefined && count + added.length >= limit) {
        results.set(value, assetsLimitReached(limit));
      } else {
        if (covering === undefined) added.push(value);
        results.set(value, { id: 0, value: covering ?? value, beaconId, tier: null });
      }
    }
    for (const value of added) earlier.add(inNetwork(value, beaconId));
    return results;
  }

  /** Of the values of assets in a dry run, those of which the organization has none at the place. */
  async listMissing(organizationId: number, values: Iterable<string>): Promise<string[]> {
    const places = [...values].flatMap((value) => {
      const place = resultPlaceOf(value);
      return place === null ? [] : [{ value, ...place }];
    });
    const known = await this.find(organizationId, places);
    return places.flatMap((place) => {
      const found = known.get(place);
      return found === undefined || isDoubt(found) ? [place.value] : [];
    });
  }

  /**
   * Adds assets, each with an audit entry; it is not proven that they belong to the organization. The caller has called
   * `lockForAdding`. Returns why one could not be added.
   */
  async add(
    organizationId: number,
    values: readonly string[],
    { beaconId, labels }: Pick<Asset, 'beaconId' | 'labels'>,
  ): Promise<Map<string, ScannedAsset | DomainError>> {
    const organization = await this.organizations.get(scope, organizationId);
    const { assetsLimit } = organization;
    let capacity = assetsLimit === null ? Infinity : assetsLimit - (await this.rows.countOf(organizationId));
    const results = new Map<string, ScannedAsset | DomainError>();
    // In one order, so that concurrent additions of the same values do not wait for each other in a circle.
    for (const value of [...values].sort()) {
      const canonical = recognizeAsset(value);
      if (canonical === undefined) {
        results.set(value, notAdded(value));
        continue;
      }
      if (capacity <= 0) {
        results.set(value, assetsLimitReached(assetsLimit ?? 0));
        continue;
      }
      const asset = newAsset(organization, canonical, { beaconId, labels: [...labels] });
      const id = await this.rows.saveIfMissing(asset);
      if (id === undefined) {
        const existing = await this.findByValue(organizationId, value, beaconId);
        if (existing !== undefined) results.set(value, existing);
        continue;
      }
      capacity--;
      const part = { operation: 'asset.create', resourceType: 'asset', resourceId: String(id) } as const;
      await this.unitOfWork.recordPart(part, { organizationId, metadata: factsOfNew(asset) });
      results.set(value, { id, value: canonical.value, beaconId, tier: null });
    }
    return results;
  }
}

/** The same host behind two beacons is two hosts. */
const inNetwork = (host: string, beaconId: number | null): string => (beaconId === null ? host : `${beaconId} ${host}`);

const notAdded = (host: string): DomainError =>
  unprocessable(
    `${host} is neither a domain that can be registered nor an address. Add the URL of the service as an asset, such as http://${host}/, and import the file again.`,
  );
