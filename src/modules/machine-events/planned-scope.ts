import { Injectable } from '@nestjs/common';
import { everything, type Scope } from '../../platform/api/scope';
import { type Event, EventScopeService } from '../events';
import type { EventPlan } from './data/event-plan.entity';
import type { EventTarget } from './data/event-target.entity';
import { EventPlansRepository } from './data/event-plans.repository';
import { EventTargetsRepository } from './data/event-targets.repository';
import { TargetRuns } from './target-runs';

const scope = everything('the scopes of the events of all organizations');

export interface PlannedAssets {
  readonly ids: readonly number[];
  /** How many more its scope has. */
  readonly leftOut: number;
}

/** Compares the targets of a plan with the scope of its event: the assets that it lists, and those that these cover. */
@Injectable()
export class PlannedScope {
  /** The first ones of an event: as many as a report has. */
  maxAssets = 20_000;

  constructor(
    private readonly scopes: EventScopeService,
    private readonly plans: EventPlansRepository,
    private readonly targets: EventTargetsRepository,
    private readonly runs: TargetRuns,
  ) {}

  /** Returns the targets that still run. What is no longer in scope stops. */
  async read(plan: EventPlan, event: Event, running: readonly EventTarget[], now: Date): Promise<EventTarget[]> {
    const { ids, leftOut } = await this.assetsIn(scope, event);
    const wanted = new Set(ids);
    const others = running.filter(({ assetId }) => !wanted.has(assetId));
    for (const target of others) await this.runs.stop(target, now);
    await this.targets.addAssets(plan, ids, now);
    await this.targets.removeOthers(plan.eventId, ids);
    if (plan.assetsLeftOut !== leftOut) await this.plans.change(plan, { assetsLeftOut: leftOut });
    return running.filter(({ assetId }) => wanted.has(assetId));
  }

  /** The ids of the assets that it tests. */
  async assetsIn(of: Scope, event: Event): Promise<PlannedAssets> {
    const all = await this.scopes.listCoveredAssetIds(of, event);
    return { ids: all.slice(0, this.maxAssets), leftOut: Math.max(0, all.length - this.maxAssets) };
  }

  /** As its plan has read it last. */
  async leftOutOf({ id }: Event): Promise<number> {
    return (await this.plans.findOfVisible(id))?.assetsLeftOut ?? 0;
  }

  /** Another one after each change of the scope. */
  versionOf({ id }: Event): Promise<string> {
    return this.scopes.versionOf(id);
  }
}
