import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../kernel/durations';
import { Clock } from '../../kernel/clock';
import { system } from '../../platform/api/caller';
import { everything, type Scope } from '../../platform/api/scope';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { TenantTurns } from '../../platform/work/tenant-turns';
import type { Schedule } from './data/schedule.entity';
import { SchedulesRepository } from './data/schedules.repository';
import { Makers } from './makers';

const DAYS_TO_CONFIRM = 30;

const scope = everything('the schedules of all organizations need a maker');

type Reference = Pick<Schedule, 'id' | 'organizationId'>;

/** What the service itself changes of a schedule. */
export const pauseOf = ({ id, organizationId }: Reference): AuditDescription => ({
  actor: system,
  operation: 'schedule.pause',
  resourceType: 'schedule',
  resourceId: String(id),
  organizationId,
});

/** Schedules whose maker has left wait for the confirmation of an admin, and pause without it. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly makers: Makers,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  /** Also those that are not due for long. */
  async checkAll(): Promise<void> {
    const makers = (part: Scope) => this.schedules.listMakers(part);
    await this.turns.each('schedule.confirmations', scope, makers, async (maker) => {
      const hasLeft = (await this.makers.currentRole(maker)) === undefined;
      const affected = await this.schedules.listIdsOfMaker(maker, true);
      if (hasLeft) affected.push(...(await this.schedules.listIdsOfMaker(maker, false)));
      for (const schedule of affected) await this.check(schedule);
    });
  }

  /** The caller has locked it. Returns whether it was paused, because nobody confirmed it in time. */
  async pausesUnconfirmed(schedule: Schedule, now: Date): Promise<boolean> {
    const hasLeft = (await this.makers.currentRole(schedule)) === undefined;
    const confirmBy = hasLeft ? (schedule.confirmBy ?? new Date(now.getTime() + DAYS_TO_CONFIRM * DAY_MS)) : null;
    if (confirmBy?.getTime() !== schedule.confirmBy?.getTime()) await this.schedules.change(schedule, { confirmBy });
    if (confirmBy === null || confirmBy > now) return false;
    await this.schedules.change(schedule, { status: 'paused', nextDue: null });
    this.unitOfWork.note({
      metadata: { reason: 'Its maker has left the organization, and no admin has confirmed it.' },
    });
    return true;
  }

  private check(reference: Reference): Promise<unknown> {
    return this.unitOfWork.runIfDue(pauseOf(reference), scope, async () => {
      const schedule = await this.schedules.lockOne(scope, reference.organizationId, reference.id);
      if (schedule?.status !== 'active') return undefined;
      return (await this.pausesUnconfirmed(schedule, this.clock.now())) ? 'paused' : undefined;
    });
  }
}
