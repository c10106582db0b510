import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { SystemCaller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import type { Event } from '../events';
import { defaultReportOptions, ReportsService } from '../reports';
import type { EventPlan } from './data/event-plan.entity';
import { EventPlansRepository } from './data/event-plans.repository';

const scope = everything('the ends of the events of all organizations');

/** From the start of the event to its end. */
const WHOLE = { startDate: null, endDate: null };
const FORMATS = ['pdf', 'json'] as const;

/** What a machine event does after its tests: it orders its report. */
@Injectable()
export class EventEnding {
  constructor(
    private readonly plans: EventPlansRepository,
    private readonly reports: ReportsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Once, in both formats. */
  async report(plan: EventPlan, { slug, organizationId }: Event): Promise<void> {
    const caller = new SystemCaller(organizationId);
    const description = {
      actor: caller.actor,
      operation: 'report.create',
      resourceType: 'report',
      organizationId,
    } as const;
    await this.unitOfWork.runIfDue(description, scope, async () => {
      if (!(await this.plans.markReported(plan, this.clock.now()))) return undefined;
      const subject = { kind: 'event', slug } as const;
      for (const format of FORMATS)
        await this.reports.create(caller, subject, { options: { ...defaultReportOptions, format }, ...WHOLE });
      return true;
    });
  }
}
