import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { type Asset, AssetsService } from '../assets';
import { OrganizationsService } from '../organizations';
import type { Observation } from './data/observation.entity';
import { ObservationsRepository } from './data/observations.repository';
import {
  notObservable,
  observationNotFound,
  observationTurnedOff,
  tooManyUnfinishedObservations,
} from './domain/observation.errors';
import { cancelsObservation, isObservationOver, type ObservationCause } from './domain/observation-status';
import { ObservationRule } from './observation-rule';

export const OBSERVATION_KIND = 'asset.observe';

/** Per organization. */
const MAX_UNFINISHED = 50;

/** How many of them the schedule may start. The other places are for people. */
const MAX_SCHEDULED = MAX_UNFINISHED / 2;

/** What a plan says of an observation that it starts. */
export interface PlannedObservation {
  readonly eventId: number;
  readonly until: Date;
  readonly requestsPerSecond: number | null;
}

@Injectable()
export class ObservationsService {
  constructor(
    private readonly observations: ObservationsRepository,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly rule: ObservationRule,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @OwnerOf('observation')
  async ownerOf(scope: Scope, uuid: string): Promise<number | undefined> {
    return (await this.observations.findOne(scope, uuid))?.organizationId;
  }

  /** `cause`: whether a person asks for it, or a plan of a person. */
  async start(caller: Caller, assetId: number, cause: ObservationCause = 'request'): Promise<Observation> {
    const asset = await this.assets.get(caller.scope, assetId);
    const { organizationId } = asset;
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    if (!asset.observe) throw observationTurnedOff();
    const obstacle = await this.obstacleTo(caller.scope, asset, cause);
    if (obstacle !== null) throw notObservable(obstacle);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    const unfinished = await this.observations.countUnfinishedOfLocked(organizationId);
    if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedObservations(MAX_UNFINISHED);
    const uuid = await this.addToLocked(caller.scope, asset, cause);
    this.unitOfWork.note({ metadata: { observation: uuid } });
    return this.get(caller.scope, uuid);
  }

  /** Why the asset may not be observed, and what to do; null if it may. A beacon may be closed to all but requests. */
  async obstacleTo(scope: Scope, asset: Asset, cause: ObservationCause = 'request'): Promise<string | null> {
    const rule = await (cause === 'schedule'
      ? this.rule.evaluateDue(scope, asset, false)
      : this.rule.evaluate(scope, asset, false));
    return rule.observable ? null : rule.reason;
  }

  /** Undefined before the first one, and 30 days after the last. */
  async newestOf(scope: Scope, assetId: number): Promise<Observation | undefined> {
    const { id } = await this.assets.get(scope, assetId);
    return this.observations.findNewestOfVisible(id);
  }

  /** Returns false if the organization has no place for it now. The caller has locked the organization for counting. */
  async scheduleInLocked(scope: Scope, asset: Asset): Promise<boolean> {
    if ((await this.observations.countUnfinishedOfLocked(asset.organizationId)) >= MAX_SCHEDULED) return false;
    const running = await this.observations.findUnfinishedOfVisible(asset.id);
    if (running === undefined) await this.addToLocked(scope, asset, 'schedule');
    return true;
  }

  /**
   * For a plan, in the transaction that records it: returns its UUID, or that of the one that is already running; undefined if the
   * organization has no place for it now. The caller has locked the organization for counting.
   */
  async startPlannedInLocked(scope: Scope, asset: Asset, planned: PlannedObservation): Promise<string | undefined> {
    const running = await this.observations.findUnfinishedOfVisible(asset.id);
    if (running !== undefined) return running.uuid;
    if ((await this.observations.countUnfinishedOfLocked(asset.organizationId)) >= MAX_SCHEDULED) return undefined;
    return this.addToLocked(scope, asset, 'schedule', planned);
  }

  listOfVisible(uuids: readonly string[]): Promise<Observation[]> {
    return this.observations.listOfVisible(uuids);
  }

  /** For a plan. One that people or the schedule started stays. */
  async cancelPlanned(scope: Scope, uuid: string): Promise<void> {
    const observation = await this.observations.findOne(scope, uuid);
    if (observation === undefined || observation.until === null) return;
    await this.work.cancel(OBSERVATION_KIND, uuid);
    const locked = await this.observations.lockOne(scope, uuid);
    if (locked === undefined || isObservationOver(locked.status)) return;
    await this.observations.endEarly(locked.id, 'CANCELED', null);
  }

  async get(scope: Scope, uuid: string): Promise<Observation> {
    return orThrow(await this.observations.findOne(scope, uuid), observationNotFound);
  }

  /** Locks the work before the observation, in the order of a worker that ends it. A conflict rolls both back. */
  async cancel(caller: Caller, uuid: string): Promise<void> {
    const { organizationId } = await this.get(caller.scope, uuid);
    this.unitOfWork.note({ organizationId, resourceId: uuid });
    caller.requireRole('member', organizationId);
    await this.work.cancel(OBSERVATION_KIND, uuid);
    const observation = orThrow(await this.observations.lockOne(caller.scope, uuid), observationNotFound);
    this.unitOfWork.note({ metadata: { from: observation.status, to: 'CANCELED' } });
    if (cancelsObservation(observation.status)) await this.observations.endEarly(observation.id, 'CANCELED', null);
  }

  /** Of an asset. */
  async cancelNewest(caller: Caller, assetId: number): Promise<void> {
    const { uuid } = orThrow(await this.newestOf(caller.scope, assetId), observationNotFound);
    await this.cancel(caller, uuid);
  }

  /** The caller has locked the organization, and counted its unfinished ones. */
  private async addToLocked(
    scope: Scope,
    asset: Asset,
    cause: ObservationCause,
    planned?: PlannedObservation,
  ): Promise<string> {
    const { id: assetId, organizationId } = await this.assets.lockForKeyShare(scope, asset.id);
    const uuid = randomUUID();
    const { eventId, ...limits } = planned ?? {};
    await this.observations.save({ uuid, organizationId, assetId, cause, ...limits });
    const ofEvent = eventId === undefined ? {} : { eventId };
    await this.work.enqueue({ kind: OBSERVATION_KIND, reference: uuid, organizationId, ...ofEvent });
    return uuid;
  }
}
