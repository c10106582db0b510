import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import { runEach } from '../../../platform/work/run-each';
import { Scheduled } from '../../../platform/work/work-handler';
import { Work } from '../../../platform/work/work';
import { Confirmations } from '../confirmations';
import { ScheduleRunsRepository } from '../data/schedule-runs.repository';
import { SchedulesRepository } from '../data/schedules.repository';
import { RUN_KIND, RunStart } from '../run-start';

const scope = everything('the schedules of all organizations run');

/** In one run of the task, of each organization and of all. */
const MAX_OF_EACH = 20;
const MAX_OF_ALL = 500;

const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
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
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'schedule.due', everySeconds: 5 })
  async run(): Promise<void> {
    const now = this.clock.now();
    const due = await this.schedules.listDue(scope, now, MAX_OF_EACH, MAX_OF_ALL);
    await runEach(due, (schedule) => this.start.startIfDue(schedule));
    const open = await this.runs.listToContinue(scope, now, MAX_OF_EACH, MAX_OF_ALL);
    await runEach(open, ({ uuid: reference, organizationId }) =>
      this.work.enqueue({ kind: RUN_KIND, reference, organizationId }),
    );
  }

  @Scheduled({ name: 'schedule.confirmations', everySeconds: 3_600 })
  checkMakers(): Promise<void> {
    return this.confirmations.checkAll();
  }

  @Scheduled({ name: 'schedule.forget_runs', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    while ((await this.runs.removeEnded(before, REMOVAL_BATCH)) > 0);
  }
}
