import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { BeaconsService } from '../beacons';
import { FindingsService, normalizeLabels } from '../findings';
import { MemberGroupsService, type Owner, ownerOf, storedOwner } from '../identity';
import { type Organization, OrganizationsService } from '../organizations';
import type { Asset } from './data/asset.entity';
import { type AssetChange, AssetsRepository } from './data/assets.repository';
import { proofDueAfter, requireConfirmedFull } from './domain/active-tests';
import { assetBusy, assetNotFound, assetsLimitReached } from './domain/asset.errors';
import { canonicalAsset, type CanonicalAsset, requireAllowedSize, recognizeAsset } from './domain/asset-value';
import { AssetRules } from './asset-rules';
import { factsOfNew, newAsset } from './new-asset';

export interface AssetDraft {
  readonly organizationId: number | null;
  readonly value: string;
  readonly type: string;
  readonly beaconId: number | null;
  readonly tier: number | null;
  readonly purl?: string | null;
  readonly cpe?: string | null;
  readonly labels?: readonly string[];
  readonly owner?: Owner | null;
}

@Injectable()
export class AssetsService {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly organizations: OrganizationsService,
    private readonly beacons: BeaconsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
    private readonly findings: FindingsService,
    private readonly rules: AssetRules,
    private readonly groups: MemberGroupsService,
  ) {}

  @OwnerOf('asset')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.assets.findOne(scope, Number(id)))?.organizationId;
  }

  find(scope: Scope, id: number): Promise<Asset | undefined> {
    return this.assets.findOne(scope, id);
  }

  async get(scope: Scope, id: number): Promise<Asset> {
    return orThrow(await this.find(scope, id), assetNotFound);
  }

  async getIn(scope: Scope, organizationId: number, id: number): Promise<Asset> {
    return orThrow(await this.assets.findIn(scope, organizationId, id), assetNotFound);
  }

  /** Prevents the deletion of the asset until the transaction ends, for callers that add a reference to it. */
  async lockForKeyShare(scope: Scope, id: number): Promise<Asset> {
    return orThrow(await this.assets.lockForKeyShare(scope, id), assetNotFound);
  }

  /** Excludes other changes until the transaction ends. */
  async lock(scope: Scope, id: number): Promise<Asset> {
    return orThrow(await this.assets.lockOne(scope, id), assetNotFound);
  }

  /**
   * Finds an asset by its value in any spelling, behind the beacon if one is named. If there are several, prefers the one
   * without a beacon.
   */
  async findByValue(
    scope: Scope,
    organizationId: number,
    value: string,
    beaconId: number | null = null,
  ): Promise<Asset | undefined> {
    const recognized = recognizeAsset(value);
    return recognized && this.assets.findByValue(scope, organizationId, recognized.value, beaconId);
  }

  /** Newest first. */
  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Asset>> {
    return this.assets.listFor(scope, organizationId, page);
  }

  /** The ids of the assets, or of those with a label. */
  listIds(scope: Scope, organizationId: number, label: string | null, limit: number): Promise<number[]> {
    return this.assets.listIds(scope, organizationId, label === null ? {} : { label }, limit);
  }

  listByIds(scope: Scope, ids: readonly number[]): Promise<Asset[]> {
    return this.assets.listByIds(scope, ids);
  }

  async create(caller: Caller, draft: AssetDraft): Promise<number> {
    const { organizationId, value, type, beaconId, tier, purl = null, cpe = null, owner = null } = draft;
    const labels = normalizeLabels(draft.labels ?? []);
    const canonical = canonicalAsset(type, value);
    const organization = await this.organizations.resolve(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: organization.id });
    if (beaconId !== null) await this.beacons.get(caller.scope, organization.id, beaconId);
    caller.requireRole(labels.length > 0 || owner !== null ? 'admin' : 'member', organization.id);
    await this.rules.requireLabelsOfNew(organization.id, labels);
    await this.lockForAdding(caller.scope, organization);
    if (owner !== null) await this.groups.requireOwner(organization.id, owner);
    const stated = { beaconId, tier, purl, cpe, labels, ...storedOwner(owner) };
    const asset = newAsset(organization, canonical, stated);
    const id = await this.assets.save(asset);
    await this.requireCapacity(organization);
    requireAllowedSize(canonical);
    this.unitOfWork.note({ resourceId: String(id), metadata: factsOfNew(asset) });
    return id;
  }

  /** If there is a limit, assets are added one at a time, so that the count stays correct until the commit. */
  async lockForAdding(scope: Scope, { id, assetsLimit }: Organization): Promise<void> {
    await (assetsLimit === null
      ? this.organizations.lockForShare(scope, id)
      : this.organizations.lockForCounting(scope, id));
  }

  /** Adds the asset of a domain if it does not exist. The caller has called `lockForAdding`. */
  addForDomain(organization: Organization, value: string): Promise<void> {
    return this.addIfMissing(organization, canonicalAsset('domain', value));
  }

  /** For the operator: adds a URL if it does not exist. The caller has called `lockForAdding`. */
  addUrl(organization: Organization, value: string): Promise<void> {
    return this.addIfMissing(organization, canonicalAsset('url', value));
  }

  async change(caller: Caller, id: number, { labels: stated, confirmFull, ...change }: AssetChange): Promise<void> {
    if (change.owner != null) await this.lockForOwner(caller.scope, id, change.owner);
    const asset = orThrow(await this.assets.lockOne(caller.scope, id), assetNotFound);
    const { organizationId, value, tier, purl, cpe, labels, activeTests, requestsPerSecond } = asset;
    const { allowedPaths, forbiddenPaths } = asset;
    const to: AssetChange = stated === undefined ? change : { ...change, labels: normalizeLabels(stated) };
    const from = {
      tier,
      purl,
      cpe,
      labels,
      activeTests,
      requestsPerSecond,
      allowedPaths,
      forbiddenPaths,
      owner: ownerOf(asset),
    };
    this.unitOfWork.note({ organizationId, metadata: { value, from: wireFormat(from), to: wireFormat(to) } });
    caller.requireRole(FIELDS_OF_ADMINS.some((field) => to[field] !== undefined) ? 'admin' : 'member', organizationId);
    await this.unitOfWork.checkCondition();
    requireConfirmedFull(asset, { ...to, confirmFull });
    await this.rules.requireAllowedTests(asset, to);
    await this.rules.requireLabels(caller.actor, asset, to.labels ?? []);
    const proof = to.activeTests === undefined ? {} : { proofDue: proofDueAfter(asset, to.activeTests) };
    const { owner, ...fields } = to;
    const changed = { ...fields, ...proof, ...(owner !== undefined && storedOwner(owner)) };
    if (Object.keys(to).length > 0) await this.assets.change(id, changed);
  }

  /** Before the asset, so that the owner is not removed until the transaction ends: removals lock the organization for counting. */
  private async lockForOwner(scope: Scope, id: number, owner: Owner): Promise<void> {
    const { organizationId } = await this.get(scope, id);
    await this.organizations.lockForShare(scope, organizationId);
    await this.groups.requireOwner(organizationId, owner);
  }

  /** Of active tests, about one path. */
  async decideAboutPath(caller: Caller, id: number, path: string, isAllowed: boolean): Promise<void> {
    const { allowedPaths, forbiddenPaths } = await this.lock(caller.scope, id);
    const others = (paths: readonly string[]): string[] => paths.filter((one) => one !== path);
    const [allowed, forbidden] = [others(allowedPaths), others(forbiddenPaths)];
    (isAllowed ? allowed : forbidden).push(path);
    await this.change(caller, id, { allowedPaths: allowed, forbiddenPaths: forbidden });
  }

  async delete(caller: Caller, id: number): Promise<void> {
    const asset = orThrow(await this.assets.lockOne(caller.scope, id), assetNotFound);
    const { organizationId, value, type } = asset;
    this.unitOfWork.note({ organizationId, metadata: { value, type } });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    if (await this.work.isRunningOn(id)) throw assetBusy();
    await this.findings.detachFromAsset(caller.actor, id);
    await this.assets.remove(id);
  }

  private async addIfMissing(organization: Organization, asset: CanonicalAsset): Promise<void> {
    const added = await this.assets.saveIfMissing(newAsset(organization, asset));
    if (added !== undefined) await this.requireCapacity(organization);
  }

  /** Called after the insert, so that a duplicate is reported as such before the limit. A refusal rolls the insert back. */
  private async requireCapacity({ id, assetsLimit }: Organization): Promise<void> {
    if (assetsLimit === null) return;
    if ((await this.assets.countOf(id)) > assetsLimit) throw assetsLimitReached(assetsLimit);
  }
}

const FIELDS_OF_ADMINS = [
  'labels',
  'activeTests',
  'requestsPerSecond',
  'allowedPaths',
  'forbiddenPaths',
  'owner',
] as const satisfies (keyof AssetChange)[];

const wireFormat = ({
  activeTests: active_tests,
  requestsPerSecond: requests_per_second,
  allowedPaths: allowed_paths,
  forbiddenPaths: forbidden_paths,
  ...rest
}: AssetChange) => ({
  ...rest,
  active_tests,
  requests_per_second,
  allowed_paths,
  forbidden_paths,
});
