import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../kernel/durations';
import { Clock } from '../../kernel/clock';
import type { Caller } from '../../platform/api/caller';
import { OrganizationsService } from '../organizations';
import { type NamedRun, ScheduleRunsRepository } from './data/schedule-runs.repository';
import type { Schedule } from './data/schedule.entity';
import { SchedulesRepository } from './data/schedules.repository';

const SHOWN = 5;

/** Days of the numbers and of what failed. */
const PAST_DAYS = 7;

export interface ScheduleOverviewOf {
  /** That run in the next 24 hours, the next first. */
  readonly next: readonly Schedule[];
  /** Of the last days, newest first. */
  readonly failed: readonly NamedRun[];
  /** Fixes that a schedule looked at again in the last days, and how many of them were still fixed. */
  readonly stayedFixed: { readonly fixed: number; readonly looked: number };
}

/** What the schedules of an organization do next, and what they have done. */
@Injectable()
export class ScheduleOverview {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly runs: ScheduleRunsRepository,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /** Empty for viewers, who do not read schedules. */
  async of(caller: Caller, organizationId: number): Promise<ScheduleOverviewOf> {
    const { scope } = caller;
    const { id } = await this.organizations.get(scope, organizationId);
    if (!caller.hasRole('member', id)) return { next: [], failed: [], stayedFixed: { fixed: 0, looked: 0 } };
    const now = this.clock.now().getTime();
    const since = new Date(now - PAST_DAYS * DAY_MS);
    const [next, failed, results] = await Promise.all([
      this.schedules.listNextFor(scope, id, new Date(now + DAY_MS), SHOWN),
      this.runs.listEndedFor(scope, id, ['failed', 'partial'], since, SHOWN),
      this.runs.countResultsFor(scope, id, 'resolved_retest', since),
    ]);
    const fixed = results.get('fixed') ?? 0;
    const others = ['still_vulnerable', 'inconclusive', 'blocked'].reduce(
      (sum, one) => sum + (results.get(one) ?? 0),
      0,
    );
    return { next, failed, stayedFixed: { fixed, looked: fixed + others } };
  }
}
