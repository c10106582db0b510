import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { RunPartsRepository } from '../data/run-parts.repository';
import type { ScheduleRun } from '../data/schedule-run.entity';
import { ScheduleRunsRepository } from '../data/schedule-runs.repository';
import { SchedulesRepository } from '../data/schedules.repository';
import { nextStep } from '../domain/next-step';
import { isRunOver, statusAfter } from '../domain/vocabulary';
import { MAX_PARTS } from '../part-selection';
import { RunPlan } from '../run-plan';
import { RunProgress } from '../run-progress';
import { RUN_KIND } from '../run-start';

const scope = everything('a worker runs the schedules of all organizations');

/** Different reasons that are kept of a run. */
const MAX_OBSTACLES = 20;

const LEFT_OUT = `Only the first ${MAX_PARTS} were looked at: let several schedules share them by labels.`;

/** A step of a run. The scheduled task adds the next one, until all parts are over. */
@Injectable()
@WorkKind(RUN_KIND)
export class ScheduleRunWork implements WorkHandler {
  readonly maxConcurrent = 3;

  constructor(
    private readonly runs: ScheduleRunsRepository,
    private readonly schedules: SchedulesRepository,
    private readonly parts: RunPartsRepository,
    private readonly plan: RunPlan,
    private readonly progress: RunProgress,
    private readonly clock: Clock,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const waiting = await this.runs.findOne(scope, claim.reference);
    const schedule = waiting && (await this.schedules.findOne(scope, waiting.organizationId, waiting.scheduleId));
    if (waiting === undefined || schedule === undefined) return this.completion(claim, async () => undefined);
    await this.plan.planIfWaiting(schedule, waiting);
    const run = await this.runs.findOne(scope, claim.reference);
    if (run !== undefined && !isRunOver(run.status)) await this.progress.step(schedule, run, signal);
    return this.completion(claim, (current) => this.endOrContinue(current, schedule.windows));
  }

  abandon(claim: Claim, error: string): Completion {
    const reason = `It could not go on because of an internal error in ${claim.attempt} attempts. What it started goes on.`;
    const end = async (run: ScheduleRun): Promise<void> => {
      const { results, obstacles } = await this.parts.takeEnd(run.id, MAX_OBSTACLES);
      await this.runs.end(run.id, 'failed', { results, obstacles }, reason, this.clock.now());
    };
    return this.completion(claim, end, { error });
  }

  private async endOrContinue(run: ScheduleRun, windows: readonly string[]): Promise<void> {
    const now = this.clock.now();
    if (await this.parts.isOver(run.id)) {
      const end = await this.parts.takeEnd(run.id, MAX_OBSTACLES);
      const reason = run.parts >= MAX_PARTS ? LEFT_OUT : null;
      return this.runs.end(run.id, statusAfter(end), end, reason, now);
    }
    return this.runs.planStep(run.id, nextStep(run.started ?? now, windows, now));
  }

  private completion(
    claim: Claim,
    apply: (run: ScheduleRun) => Promise<void>,
    metadata?: Record<string, unknown>,
  ): Completion {
    return {
      audit: workAudit(claim, { operation: 'schedule.run_step', resourceType: 'schedule', metadata }),
      apply: async () => {
        const run = await this.runs.lockOne(scope, claim.reference);
        if (run !== undefined && !isRunOver(run.status)) await apply(run);
      },
    };
  }
}
