import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../kernel/durations';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { Work } from '../../../platform/work/work';
import { Confirmations } from '../confirmations';
import { ScheduleRunsRepository } from '../data/schedule-runs.repository';
import { SchedulesRepository } from '../data/schedules.repository';
import { RUN_KIND, RunStart } from '../run-start';

const scope = everything('the schedules of all organizations run');
const removal = everything('the past runs of all organizations are removed');

/** In one run of the task, of each organization and of all. */
const MAX_OF_EACH = 20;
const MAX_OF_ALL = 500;

const KEPT_DAYS = 90;
const REMOVAL_BATCH = 1_000;

/** Starts the schedules that are due, and continues the runs that have not ended. */
@Injectable()
export class DueSchedules {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly runs: ScheduleRunsRepository,
    private readonly start: RunStart,
    private readonly confirmations: Confirmations,
    private readonly work: Work,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'schedule.due', everySeconds: 5 })
  async run(): Promise<void> {
    const now = this.clock.now();
    await this.turns.each(
      'schedule.due',
      scope,
      (part) => this.schedules.listDue(part, now, MAX_OF_EACH, MAX_OF_ALL),
      (schedule) => this.start.startIfDue(schedule),
    );
    await this.turns.each(
      'schedule.due:continue',
      scope,
      (part) => this.runs.listToContinue(part, now, MAX_OF_EACH, MAX_OF_ALL),
      ({ uuid: reference, organizationId }) => this.work.enqueue({ kind: RUN_KIND, reference, organizationId }),
    );
  }

  @Scheduled({ name: 'schedule.confirmations', everySeconds: 3_600 })
  checkMakers(): Promise<void> {
    return this.confirmations.checkAll();
  }

  @Scheduled({ name: 'schedule.forget_runs', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await this.turns.sweep('schedule.forget_runs', removal, (part) =>
      this.runs.removeEnded(part, before, REMOVAL_BATCH),
    );
  }
}
