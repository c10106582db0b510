import { Injectable } from '@nestjs/common';
import { everything, type Scope } from '../../platform/api/scope';
import { AssetsService } from '../assets';
import { type Event, EventScopeService, ScopeMembership } from '../events';
import type { EventPlan } from './data/event-plan.entity';
import type { EventTarget } from './data/event-target.entity';
import { EventTargetsRepository } from './data/event-targets.repository';
import { TargetRuns } from './target-runs';

const scope = everything('the scopes of the events of all organizations');

/** As many as a report has. */
const MAX_ASSETS = 20_000;

/** Compares the targets of a plan with the scope of its event: the assets that it lists, and those that these cover. */
@Injectable()
export class PlannedScope {
  constructor(
    private readonly scopes: EventScopeService,
    private readonly assets: AssetsService,
    private readonly targets: EventTargetsRepository,
    private readonly runs: TargetRuns,
  ) {}

  /** Returns the targets that still run. What is no longer in scope stops. */
  async read(plan: EventPlan, event: Event, running: readonly EventTarget[], now: Date): Promise<EventTarget[]> {
    const ids = await this.assetsIn(scope, event);
    const wanted = new Set(ids);
    const others = running.filter(({ assetId }) => !wanted.has(assetId));
    for (const target of others) await this.runs.stop(target, now);
    await this.targets.addAssets(plan, ids, now);
    await this.targets.removeOthers(plan.eventId, ids);
    return running.filter(({ assetId }) => wanted.has(assetId));
  }

  /** The ids of the assets that it tests. */
  async assetsIn(of: Scope, { slug, organizationId }: Event): Promise<number[]> {
    const all = { page: 1, perPage: MAX_ASSETS };
    const { items } = await this.scopes.list(of, slug, all);
    if (items.length === 0) return [];
    const membership = new ScopeMembership(items);
    const { items: assets } = await this.assets.listFor(of, organizationId, all);
    return assets.filter((asset) => membership.contains(asset) === true).map(({ id }) => id);
  }
}
