import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OrganizationsService } from '../organizations';
import type { ScheduleRun } from './data/schedule-run.entity';
import { ScheduleRunsRepository } from './data/schedule-runs.repository';
import type { Schedule } from './data/schedule.entity';
import { SchedulesRepository } from './data/schedules.repository';
import { scheduleNotFound, tooManySchedules } from './domain/schedule.errors';
import { nextRun, nextRuns, requireTiming, type Timing } from './domain/timing';
import { timingOf } from './domain/timing-of';
import type { ScheduleStatus } from './domain/vocabulary';
import { requireWork, type WorkOfSchedule } from './domain/work-of-schedule';
import { ScheduleTargets } from './schedule-targets';

/** Per organization. */
const MAX_SCHEDULES = 200;

const SHOWN_RUNS = 20;
const SHOWN_NEXT = 5;

/** As it is stated: the anchor and the seed follow from it. */
export type ScheduleDraft = WorkOfSchedule & Omit<Timing, 'anchor' | 'seed'> & { readonly name: string };

/** Omitted fields do not change. */
export type ScheduleChange = Partial<ScheduleDraft> & { readonly status?: ScheduleStatus };

export interface ScheduleDetails {
  readonly schedule: Schedule;
  /** The first is when it is due; none while it is paused. */
  readonly nextRuns: readonly Date[];
  /** Newest first. */
  readonly runs: readonly ScheduleRun[];
}

@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly runs: ScheduleRunsRepository,
    private readonly targets: ScheduleTargets,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('schedule')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.schedules.findOrganization(scope, Number(id));
  }

  async list(caller: Caller, organizationId: number, page: Page): Promise<Slice<Schedule>> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('member', id);
    return this.schedules.listFor(caller.scope, id, page);
  }

  async read(caller: Caller, organizationId: number, id: number): Promise<ScheduleDetails> {
    const schedule = orThrow(await this.schedules.findOne(caller.scope, organizationId, id), scheduleNotFound);
    caller.requireRole('member', organizationId);
    const { nextDue } = schedule;
    const later = nextDue === null ? [] : nextRuns(timingOf(schedule), nextDue, SHOWN_NEXT - 1);
    return {
      schedule,
      nextRuns: nextDue === null ? [] : [nextDue, ...later],
      runs: await this.runs.listNewestOfVisible(schedule, SHOWN_RUNS),
    };
  }

  /** The next runs of a schedule that is not saved. */
  async preview(caller: Caller, organizationId: number, draft: ScheduleDraft): Promise<Date[]> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    caller.requireRole('member', id);
    requireWork(draft);
    await this.targets.resolve(caller.scope, id, draft);
    await this.targets.requireAccounts(caller, id, draft);
    const now = this.clock.now();
    const timing = timingOf({ ...draft, organizationId: id, anchor: now });
    requireTiming(timing, now);
    return nextRuns(timing, now, SHOWN_NEXT);
  }

  async create(caller: Caller, organizationId: number, draft: ScheduleDraft): Promise<ScheduleDetails> {
    const { id: owner } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: owner, metadata: { name: draft.name, what: draft.what, on: draft.target } });
    caller.requireRole('admin', owner);
    requireWork(draft);
    const target = await this.targets.resolve(caller.scope, owner, draft);
    await this.targets.requireAccounts(caller, owner, draft);
    const now = this.clock.now();
    const timing = timingOf({ ...draft, organizationId: owner, anchor: now });
    requireTiming(timing, now);
    if ((await this.schedules.countOfLocked(owner)) >= MAX_SCHEDULES) throw tooManySchedules(MAX_SCHEDULES);
    const { checks, windows, accounts, ...stated } = draft;
    const id = await this.schedules.save({
      ...stated,
      ...target,
      ...this.madeBy(caller, owner),
      organizationId: owner,
      checks: checks === null ? null : [...checks],
      accounts: accounts === null ? null : [...accounts],
      windows: [...windows],
      anchor: now,
      status: 'active',
      nextDue: nextRun(timing, now),
    });
    this.unitOfWork.note({ resourceId: String(id) });
    return this.read(caller, owner, id);
  }

  /** Who changes it is its maker from then on. */
  async change(caller: Caller, organizationId: number, id: number, change: ScheduleChange): Promise<ScheduleDetails> {
    const schedule = await this.lockForAdmin(caller, organizationId, id);
    this.unitOfWork.note({ metadata: { changes: Object.keys(change) } });
    const { status = schedule.status, ...stated } = change;
    const draft = { ...draftOf(schedule), ...stated };
    requireWork(draft);
    const target = await this.targets.resolve(caller.scope, organizationId, draft);
    // A stopped account does not keep an admin from pausing the schedule.
    if (!isDeepStrictEqual(draft.accounts, schedule.accounts))
      await this.targets.requireAccounts(caller, organizationId, draft);
    const now = this.clock.now();
    const anchor = draft.everyHours === schedule.everyHours ? schedule.anchor : now;
    const timing = timingOf({ ...draft, organizationId, anchor });
    requireTiming(timing, now);
    const { checks, windows, accounts, ...fields } = draft;
    await this.schedules.change(schedule, {
      ...fields,
      ...target,
      ...this.madeBy(caller, organizationId),
      checks: checks === null ? null : [...checks],
      accounts: accounts === null ? null : [...accounts],
      windows: [...windows],
      anchor,
      status,
      nextDue: status === 'active' ? nextRun(timing, now) : null,
    });
    return this.read(caller, organizationId, id);
  }

  /** An admin answers for it from now on. A paused one runs again. */
  async confirm(caller: Caller, organizationId: number, id: number): Promise<ScheduleDetails> {
    const schedule = await this.lockForAdmin(caller, organizationId, id);
    const { makerId: from, status, nextDue } = schedule;
    this.unitOfWork.note({ metadata: { from, status } });
    const next = nextDue ?? nextRun(timingOf(schedule), this.clock.now());
    await this.schedules.change(schedule, { ...this.madeBy(caller, organizationId), status: 'active', nextDue: next });
    return this.read(caller, organizationId, id);
  }

  /** What its runs have started goes on. */
  async delete(caller: Caller, organizationId: number, id: number): Promise<void> {
    const schedule = await this.lockForAdmin(caller, organizationId, id);
    this.unitOfWork.note({ metadata: { name: schedule.name } });
    await this.schedules.remove(schedule);
  }

  private async lockForAdmin(caller: Caller, organizationId: number, id: number): Promise<Schedule> {
    const schedule = orThrow(await this.schedules.lockOne(caller.scope, organizationId, id), scheduleNotFound);
    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    return schedule;
  }

  private madeBy(caller: Caller, organizationId: number): Pick<Schedule, 'makerId' | 'makerRole' | 'confirmBy'> {
    return { makerId: caller.facts.userId, makerRole: caller.roleIn(organizationId) ?? 'viewer', confirmBy: null };
  }
}

function draftOf(schedule: Schedule): ScheduleDraft {
  const { name, what, target, assetId, label, eventSlug, checks, depth, accounts, resolvedDays, reportOptions } =
    schedule;
  const { cron, timeZone, everyHours, jitterMinutes, windows } = schedule;
  const work = { what, target, assetId, label, eventSlug, checks, depth, accounts, resolvedDays, reportOptions };
  return { name, ...work, cron, timeZone, everyHours, jitterMinutes, windows };
}
