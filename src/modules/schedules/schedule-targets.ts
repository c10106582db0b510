import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { AccountUse } from '../accounts';
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
    private readonly accounts: AccountUse,
  ) {}

  /** Throws an error that says why the caller may not let the schedule use one of its accounts. */
  requireAccounts(caller: Caller, organizationId: number, { accounts }: WorkOfSchedule): Promise<void> {
    return this.accounts.requirePlannable(caller, organizationId, accounts ?? []);
  }

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
