import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../kernel/durations';
import { everything, type Scope } from '../../platform/api/scope';
import { AssetsService } from '../assets';
import { EventScopeService, EventsService } from '../events';
import { RetestSelection } from '../findings';
import type { NewPart } from './data/run-parts.repository';
import type { ScheduleRun } from './data/schedule-run.entity';
import { ScheduleRunsRepository } from './data/schedule-runs.repository';
import type { Schedule } from './data/schedule.entity';

/** Of one run. */
export const MAX_PARTS = 5_000;

const ownOf = (organizationId: number): Scope =>
  everything('a run selects what its organization has').within(organizationId);

const ofAsset = (assetId: number): NewPart => ({ assetId, findingId: null });
const ofFinding = (findingId: number): NewPart => ({ assetId: null, findingId });

export interface SelectedParts {
  readonly parts: readonly NewPart[];
  /** Why nothing can be selected any more, and what to do. */
  readonly obstacle: string | null;
}

const GONE: SelectedParts = {
  parts: [],
  obstacle: 'What the schedule is on was deleted: change the schedule, or delete it.',
};

/** What a run starts: decided when it begins. */
@Injectable()
export class PartSelection {
  constructor(
    private readonly assets: AssetsService,
    private readonly events: EventsService,
    private readonly scopes: EventScopeService,
    private readonly findings: RetestSelection,
    private readonly runs: ScheduleRunsRepository,
  ) {}

  async of(schedule: Schedule, run: ScheduleRun): Promise<SelectedParts> {
    const { what, target, assetId, eventId } = schedule;
    if ((target === 'asset' && assetId === null) || (target === 'event' && eventId === null)) return GONE;
    if (what === 'report') return { parts: [{ assetId: null, findingId: null }], obstacle: null };
    const isOfAssets = what === 'job' || what === 'observation';
    const parts = isOfAssets
      ? (await this.assetIds(schedule)).map(ofAsset)
      : (await this.findingIds(schedule, run)).map(ofFinding);
    return { parts, obstacle: null };
  }

  private async assetIds({ organizationId, target, assetId, label, eventSlug }: Schedule): Promise<number[]> {
    const own = ownOf(organizationId);
    if (target === 'asset') return assetId === null ? [] : [assetId];
    if (eventSlug !== null) {
      const event = await this.events.get(own, eventSlug);
      return (await this.scopes.listCoveredAssetIds(own, event)).slice(0, MAX_PARTS);
    }
    return this.assets.listIds(own, organizationId, label, MAX_PARTS);
  }

  private async findingIds(schedule: Schedule, run: ScheduleRun): Promise<number[]> {
    const { organizationId, target, eventId } = schedule;
    const own = ownOf(organizationId);
    const isOfAssets = target === 'asset' || target === 'label';
    const wanted = {
      organizationId,
      ...(isOfAssets && { assetIds: await this.assetIds(schedule) }),
      ...(eventId !== null && { eventId }),
      ...(schedule.resolvedDays !== null && { resolved: await this.resolvedTime(schedule.resolvedDays, run) }),
    };
    return this.findings.listToRetest(own, wanted, MAX_PARTS);
  }

  /** From where the last run ended, so that every fix is looked at once. */
  private async resolvedTime(days: number, run: ScheduleRun): Promise<{ after: Date | null; until: Date }> {
    const last = await this.runs.lastDoneBeforeOfVisible(run);
    const before = (date: Date): Date => new Date(date.getTime() - days * DAY_MS);
    return { after: last && before(last), until: before(run.due) };
  }
}
