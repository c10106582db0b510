import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { AssetsService } from '../assets';
import { EventsService, eventNotFound } from '../events';
import { normalizeLabel } from '../findings';
import { JobChecks } from '../jobs';
import type { Schedule } from './data/schedule.entity';
import type { WorkOfSchedule } from './domain/work-of-schedule';

/** What schedules are on, among the records of their organization. */
@Injectable()
export class ScheduleTargets {
  constructor(
    private readonly assets: AssetsService,
    private readonly events: EventsService,
    private readonly checks: JobChecks,
  ) {}

  /** Throws if the asset, the event or a check does not exist in the organization. */
  async resolve(
    scope: Scope,
    organizationId: number,
    { assetId, label, eventSlug, checks, depth }: WorkOfSchedule,
  ): Promise<Pick<Schedule, 'assetId' | 'label' | 'eventId'>> {
    if (assetId !== null) await this.assets.getIn(scope, organizationId, assetId);
    await this.checks.select(checks, depth ?? 'standard');
    const event = eventSlug === null ? null : await this.events.get(scope, eventSlug);
    if (event !== null && event.organizationId !== organizationId) throw eventNotFound();
    return { assetId, label: label === null ? null : normalizeLabel(label), eventId: event?.id ?? null };
  }
}
