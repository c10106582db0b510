import { Injectable } from '@nestjs/common';
import { inTurns } from '../../kernel/in-turns';
import { orThrow } from '../../kernel/or-throw';
import { type Page, readAll, type Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { type Asset, AssetsService } from '../assets';
import { OrganizationsService } from '../organizations';
import type { EventScope } from './data/event-scope.entity';
import { EventScopeRepository } from './data/event-scope.repository';
import type { Event } from './data/event.entity';
import { EVENT_WORK_KINDS } from './domain/event-work';
import { scopeAssetBusy, scopeAssetNotFound, wildcardNeedsDomain } from './domain/event.errors';
import { ScopeMembership } from './domain/scope-membership';
import { EventsService } from './events.service';

/** The scope entry of an asset in an event, with the asset. */
export interface ScopeAsset {
  readonly entry: EventScope;
  readonly asset: Asset;
}

export type ScopeAssetDraft = Pick<EventScope, 'assetId' | 'inScope' | 'description' | 'wildcard' | 'attachmentUrl'>;

@Injectable()
export class EventScopeService {
  constructor(
    private readonly scopes: EventScopeRepository,
    private readonly events: EventsService,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @OwnerOf('scope_asset')
  ownerOf(scope: Scope, assetId: string): Promise<number | undefined> {
    return this.scopes.findOrganization(scope, Number(assetId));
  }

  async get(scope: Scope, slug: string, assetId: number): Promise<ScopeAsset> {
    const event = await this.events.get(scope, slug);
    const entry = orThrow(await this.scopes.findOfVisible(event.id, assetId), scopeAssetNotFound);
    return { entry, asset: await this.assets.get(scope, assetId) };
  }

  /** Lists assets in scope and out of scope together, newest first. */
  async list(scope: Scope, slug: string, page: Page): Promise<Slice<ScopeAsset>> {
    const event = await this.events.get(scope, slug);
    const { items, ...slice } = await this.scopes.listForVisible(event.id, page);
    const assets = await this.assets.listByIds(
      scope,
      items.map(({ assetId }) => assetId),
    );
    const byId = new Map(assets.map((asset) => [asset.id, asset]));
    const pairs = items.map((entry) => ({ entry, asset: byId.get(entry.assetId) }));
    return { items: pairs.filter((pair): pair is ScopeAsset => pair.asset !== undefined), ...slice };
  }

  /** The ids of the assets that its scope contains: those that it lists, and those that these cover. */
  async listCoveredAssetIds(scope: Scope, { slug, organizationId }: Event): Promise<number[]> {
    const listed = await readAll((page) => this.list(scope, slug, page));
    if (listed.length === 0) return [];
    const ofPages = await ScopeMembership.of(listed);
    // A URL stands for its page, and not for the other ports of its host.
    const ofHosts = await ScopeMembership.of(
      listed.filter(({ asset, entry }) => asset.type !== 'url' || !entry.inScope),
    );
    const isCovered = (asset: Asset): boolean | null => (asset.type === 'url' ? ofPages : ofHosts).contains(asset);
    const assets = await readAll((page) => this.assets.listFor(scope, organizationId, page));
    const covered: number[] = [];
    for await (const asset of inTurns(assets)) if (isCovered(asset) === true) covered.push(asset.id);
    return covered.sort((one, other) => one - other);
  }

  /** Of a visible event: another one after each change of its scope, whose entries do not change themselves. */
  versionOf(eventId: number): Promise<string> {
    return this.scopes.versionOfVisible(eventId);
  }

  async add(caller: Caller, slug: string, draft: ScopeAssetDraft): Promise<void> {
    const event = await this.events.get(caller.scope, slug);
    const { organizationId } = event;
    this.unitOfWork.note({ organizationId, resourceId: String(draft.assetId), metadata: { event: slug } });
    const asset = await this.assets.getIn(caller.scope, organizationId, draft.assetId);
    caller.requireRole('admin', organizationId);
    await this.organizations.lockForShare(caller.scope, organizationId);
    const { inScope: in_scope, wildcard } = draft;
    await this.scopes.save({ ...draft, eventId: event.id, organizationId });
    if (wildcard === true && asset.type !== 'domain') throw wildcardNeedsDomain();
    this.unitOfWork.note({ metadata: { value: asset.value, in_scope, wildcard } });
  }

  async remove(caller: Caller, slug: string, assetId: number): Promise<void> {
    const event = await this.events.get(caller.scope, slug);
    this.unitOfWork.note({ organizationId: event.organizationId, metadata: { event: slug } });
    const { inScope: in_scope } = orThrow(await this.scopes.lockOfVisible(event.id, assetId), scopeAssetNotFound);
    this.unitOfWork.note({ metadata: { in_scope } });
    caller.requireRole('admin', event.organizationId);
    await this.unitOfWork.checkCondition();
    if (await this.work.isRunningOn(assetId, event.id, EVENT_WORK_KINDS)) throw scopeAssetBusy();
    await this.scopes.remove(event.id, assetId);
    this.unitOfWork.afterCommit(() => this.work.cancelOfEvent(event.id, EVENT_WORK_KINDS, assetId));
  }
}
