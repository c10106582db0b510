import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { RunPartsRepository } from './data/run-parts.repository';
import type { ScheduleRun } from './data/schedule-run.entity';
import { ScheduleRunsRepository } from './data/schedule-runs.repository';
import type { Schedule } from './data/schedule.entity';
import { runTransitions } from './domain/vocabulary';
import { Makers } from './makers';
import { PartSelection } from './part-selection';

const scope = everything('a worker runs the schedules of all organizations');

const nothing = { results: {}, obstacles: [] };

/** Decides what a run starts, once. */
@Injectable()
export class RunPlan {
  constructor(
    private readonly runs: ScheduleRunsRepository,
    private readonly parts: RunPartsRepository,
    private readonly selection: PartSelection,
    private readonly makers: Makers,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Another worker may have planned it before. */
  async planIfWaiting(schedule: Schedule, { uuid, organizationId }: ScheduleRun): Promise<void> {
    const description = {
      actor: system,
      operation: 'schedule.run',
      resourceType: 'schedule',
      resourceId: String(schedule.id),
      organizationId,
      metadata: { run: uuid },
    } as const;
    await this.unitOfWork.runIfDue(description, scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      const run = await this.runs.lockOne(scope, uuid);
      if (run === undefined || !runTransitions.allows(run.status, 'running')) return undefined;
      const now = this.clock.now();
      const { parts, obstacle } = await this.selection.of(schedule, run);
      const reason = obstacle ?? (await this.roleObstacle(schedule));
      this.unitOfWork.note({ metadata: { parts: parts.length, reason } });
      if (reason !== null) return this.runs.end(run.id, 'failed', nothing, reason, now).then(() => 'failed');
      await this.parts.save(organizationId, run.id, parts);
      await this.runs.begin(run.id, parts.length, now);
      return 'planned';
    });
  }

  /** Each launch checks the role too. Here the run says it once. */
  private async roleObstacle(schedule: Schedule): Promise<string | null> {
    const caller = await this.makers.callerFor(schedule);
    if (caller.hasRole('member', schedule.organizationId)) return null;
    return `Its maker has the role ${caller.roleIn(schedule.organizationId)} now, and tests need the role member: an admin can confirm the schedule.`;
  }
}
