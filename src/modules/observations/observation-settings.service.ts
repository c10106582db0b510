import { Injectable } from '@nestjs/common';
import { parsePorts, portsText } from '../../engine';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import {
  type Asset,
  AssetsService,
  Hostings,
  type HostingState,
  ObservationPlans,
  type ObservedAssetRow,
  ObservedAssetsRepository,
  storedHosting,
} from '../assets';
import { OrganizationsService } from '../organizations';
import { type BlockSearch, blockSearch, unsearchedBlock } from './domain/block-search';
import { notHostedElsewhere, portsNeedBeacon } from './domain/observation.errors';
import { subjectOf } from './domain/observed-subject';
import { ObservationRule } from './observation-rule';

export interface OrganizationObservation {
  readonly isEnabled: boolean;
  /** Null for the default of the installation. */
  readonly everyHours: number | null;
}

/** An asset with what is known of its observation; undefined before the first look or decision. */
export interface AssetObservation {
  readonly asset: Asset;
  readonly state: ObservedAssetRow | undefined;
  /** Who runs the host, if someone else does, with what an admin has confirmed on any asset of the host. */
  readonly hosting: HostingState | null;
  /** Null for a single host, and for a block that is not searched. */
  readonly block: BlockSearch | null;
}

/** Omitted fields do not change. */
export interface AssetObservationChange {
  readonly observe?: boolean;
  readonly observePorts?: string | null;
  readonly ownTarget?: string | null;
  readonly permittedTarget?: string | null;
}

/** What admins decide about the observation of an organization and of each asset. */
@Injectable()
export class ObservationSettings {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly assets: AssetsService,
    private readonly plans: ObservationPlans,
    private readonly states: ObservedAssetsRepository,
    private readonly hostings: Hostings,
    private readonly rule: ObservationRule,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async ofOrganization(scope: Scope, organizationId: number): Promise<OrganizationObservation> {
    const { observationEnabled, observeEveryHours } = await this.organizations.get(scope, organizationId);
    return { isEnabled: observationEnabled, everyHours: observeEveryHours };
  }

  /** When it is turned on, the first round is spread over a week. */
  async changeOrganization(caller: Caller, organizationId: number, wanted: OrganizationObservation): Promise<void> {
    const organization = await this.organizations.lockForCounting(caller.scope, organizationId);
    const { id, observationEnabled, observeEveryHours, observationSince } = organization;
    this.unitOfWork.note({ organizationId: id, resourceId: 'observation' });
    caller.requireRole('admin', id);
    await this.unitOfWork.checkCondition();
    const isTurnedOn = wanted.isEnabled && !observationEnabled;
    const since = isTurnedOn ? this.clock.now() : observationSince;
    const from = { enabled: observationEnabled, every_hours: observeEveryHours };
    this.unitOfWork.note({ metadata: { from, to: { enabled: wanted.isEnabled, every_hours: wanted.everyHours } } });
    await this.organizations.saveObservationOfLocked(id, { ...wanted, since });
  }

  /** With its interval. */
  async turnOn(caller: Caller, organizationId: number): Promise<void> {
    const { everyHours } = await this.ofOrganization(caller.scope, organizationId);
    await this.changeOrganization(caller, organizationId, { isEnabled: true, everyHours });
  }

  async ofAsset(scope: Scope, assetId: number): Promise<AssetObservation> {
    const asset = await this.assets.get(scope, assetId);
    const state = await this.states.findOfVisible(assetId);
    const { block, host } = subjectOf(asset);
    const hosting = await this.hostings.decide(asset.organizationId, host, storedHosting(state));
    return { asset, state, hosting, block: block && blockSearch(block, state ?? unsearchedBlock, this.clock.now()) };
  }

  async changeAsset(caller: Caller, assetId: number, change: AssetObservationChange): Promise<AssetObservation> {
    const asset = await this.assets.lock(caller.scope, assetId);
    const { organizationId, value } = asset;
    this.unitOfWork.note({ organizationId, metadata: { value } });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    const state = await this.states.findOfVisible(assetId);
    const { observe, ...decisions } = change;
    const decided = { ...decisions, ...this.portsOf(asset, decisions.observePorts) };
    requireTarget('own_target', state, decisions.ownTarget);
    requireTarget('permitted_target', state, decisions.permittedTarget);
    this.unitOfWork.note({ metadata: { from: wireFormat(asset, state), to: toWireFormat({ observe, ...decided }) } });
    if (observe !== undefined) await this.plans.changeVisible(assetId, observe);
    await this.states.decide({ assetId, organizationId }, decided);
    return this.ofAsset(caller.scope, assetId);
  }

  /** In one form. All ports need a beacon, or ports that the operator allows. */
  private portsOf(asset: Asset, text: string | null | undefined): Pick<AssetObservationChange, 'observePorts'> {
    if (text === undefined || text === null) return {};
    const chosen = parsePorts(text);
    if (chosen === 'all' && asset.beaconId === null && this.rule.allowedPorts(asset).length === 0)
      throw portsNeedBeacon();
    return { observePorts: portsText(chosen) };
  }
}

/** A decision is about the host that the admin saw. */
function requireTarget(field: string, state: ObservedAssetRow | undefined, target: string | null | undefined): void {
  const hosted = state?.hostedTarget ?? null;
  if (target != null && target !== hosted) throw notHostedElsewhere(field, hosted);
}

const toWireFormat = ({ observe, observePorts, ownTarget, permittedTarget }: AssetObservationChange) => ({
  observe,
  observe_ports: observePorts,
  own_target: ownTarget,
  permitted_target: permittedTarget,
});

const wireFormat = ({ observe }: Asset, state: ObservedAssetRow | undefined) =>
  toWireFormat({
    observe,
    observePorts: state?.observePorts ?? null,
    ownTarget: state?.ownTarget ?? null,
    permittedTarget: state?.permittedTarget ?? null,
  });
