import { Injectable } from '@nestjs/common';
import { type DomainError, unprocessable } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { everything } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import { AssetsService, factsOfNew, newAsset } from './assets.service';
import type { Asset } from './data/asset.entity';
import { AssetsRepository } from './data/assets.repository';
import { covers, specificity } from './domain/asset-coverage';
import { assetsLimitReached } from './domain/asset.errors';
import { recognizeAsset } from './domain/asset-value';
import { canonicalHost, selfAndParents } from './domain/domain-name';

export type ScannedAsset = Pick<Asset, 'id' | 'value' | 'beaconId' | 'tier'>;

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

  /**
   * By the host in canonical form. Prefers the asset of the host itself, then the most specific one that covers it, and
   * assets on the Internet before those behind a beacon. If a beacon is named, only assets behind it count.
   */
  async find(
    organizationId: number,
    hosts: readonly string[],
    beaconId: number | null = null,
  ): Promise<Map<string, ScannedAsset>> {
    const found = new Map<string, ScannedAsset>();
    if (hosts.length === 0) return found;
    const candidates = await this.rows.lockCovering(organizationId, hosts);
    for (const host of hosts) {
      const best = candidates
        .filter((asset) => beaconId === null || asset.beaconId === beaconId)
        .filter((asset) => covers(asset, { host, port: 443 }) || isUrlOn(asset, host))
        .sort((one, other) => rankOf(other, host) - rankOf(one, host) || one.id - other.id)[0];
      if (best !== undefined) found.set(host, best);
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
   * What `add` would return, without adding anything. No asset has the id 0. `earlier` are the hosts that earlier calls would
   * have added; those of this call become a part of it.
   */
  async preview(
    organizationId: number,
    hosts: readonly string[],
    earlier: Set<string>,
    beaconId: number | null,
  ): Promise<Map<string, ScannedAsset | DomainError>> {
    const { assetsLimit } = await this.organizations.get(scope, organizationId);
    const limit = assetsLimit ?? Infinity;
    const count = (await this.rows.countOf(organizationId)) + earlier.size;
    const added: string[] = [];
    const results = new Map<string, ScannedAsset | DomainError>();
    for (const host of [...hosts].sort()) {
      const covering = selfAndParents(host).find((name) => earlier.has(inNetwork(name, beaconId)));
      if (covering === undefined && recognizeAsset(host) === undefined) {
        results.set(host, notAdded(host));
      } else if (covering === undefined && count + added.length >= limit) {
        results.set(host, assetsLimitReached(limit));
      } else {
        if (covering === undefined) added.push(host);
        results.set(host, { id: 0, value: covering ?? host, beaconId, tier: null });
      }
    }
    for (const host of added) earlier.add(inNetwork(host, beaconId));
    return results;
  }

  /** Of values of results in a dry run, the hosts that no asset covers. */
  async listMissing(organizationId: number, values: Iterable<string>): Promise<string[]> {
    const hosts = [...values].filter((value) => canonicalHost(value) === value);
    const known = await this.find(organizationId, hosts);
    return hosts.filter((host) => !known.has(host));
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

/** A URL with an address covers its own port only, but a result on another port is still on this host. */
const isUrlOn = ({ type, value }: Asset, host: string): boolean =>
  type === 'url' && new URL(value).hostname.replace(/^\[(.*)\]$/, '$1') === host;

const rankOf = (asset: Asset, host: string): number =>
  (asset.value === host ? 10_000 : specificity(asset)) + (asset.beaconId === null ? 100_000 : 0);
