import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import { OrganizationsService } from '../organizations';
import { Confirmations, pauseOf } from './confirmations';
import { ScheduleRunsRepository } from './data/schedule-runs.repository';
import type { Schedule } from './data/schedule.entity';
import { SchedulesRepository } from './data/schedules.repository';
import { nextRun } from './domain/timing';
import { timingOf } from './domain/timing-of';
import { isOpen, nextOpening, parseWindows } from '../../kernel/opening-windows';

export const RUN_KIND = 'schedule.run';

const scope = everything('the schedules of all organizations run');

type Due = Pick<Schedule, 'id' | 'organizationId'>;

/** Begins the run of a schedule that is due: the run, its work and the next time are one transaction. */
@Injectable()
export class RunStart {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly runs: ScheduleRunsRepository,
    private readonly confirmations: Confirmations,
    private readonly organizations: OrganizationsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** However long ago it was due, it runs once. Another worker that starts the same one does nothing. */
  startIfDue(due: Due): Promise<unknown> {
    const { organizationId } = due;
    return this.unitOfWork.runIfDue(pauseOf(due), scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      const now = this.clock.now();
      const schedule = await this.schedules.lockDue(scope, due, now);
      if (schedule === undefined) return undefined;
      const windows = parseWindows(schedule.windows);
      if (!isOpen(windows, now)) {
        await this.schedules.change(schedule, { nextDue: nextOpening(windows, now) });
        return undefined;
      }
      if (await this.confirmations.pausesUnconfirmed(schedule, now)) return 'paused';
      await this.addRun(schedule, now);
      await this.schedules.change(schedule, { nextDue: nextRun(timingOf(schedule), now) });
      return undefined;
    });
  }

  private async addRun(schedule: Schedule, now: Date): Promise<void> {
    const { id: scheduleId, organizationId, nextDue } = schedule;
    const uuid = randomUUID();
    const run = { uuid, organizationId, scheduleId, due: nextDue ?? now };
    const open = await this.runs.findOpenOfVisible(schedule);
    if (open !== undefined) {
      const reason = `The run of ${open.due.toISOString()} had not ended. Let the schedule run less often, or cover less.`;
      await this.runs.save({ ...run, status: 'skipped', reason, ended: now, nextStep: null });
      return;
    }
    await this.runs.save({ ...run, status: 'waiting', reason: null, ended: null, nextStep: now });
    await this.work.enqueue({ kind: RUN_KIND, reference: uuid, organizationId });
  }
}
