import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { SystemCaller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { type Event, EventFindingsService } from '../events';
import { isDismissed } from '../findings';
import { defaultReportOptions, ReportsService } from '../reports';
import { RetestsService } from '../retests';
import type { EventPlan } from './data/event-plan.entity';
import { EventPlansRepository } from './data/event-plans.repository';

const scope = everything('the ends of the events of all organizations');

const MAX_FINDINGS = 5_000;
/** In one turn. */
const MAX_RETESTS = 10;

/** From the start of the event to its end. */
const WHOLE = { startDate: null, endDate: null };
const FORMATS = ['pdf', 'json'] as const;

/** What a machine event does after its tests: it retests its findings, and orders its report. */
@Injectable()
export class EventEnding {
  constructor(
    private readonly plans: EventPlansRepository,
    private readonly findings: EventFindingsService,
    private readonly retests: RetestsService,
    private readonly reports: ReportsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Starts some of the retests that are left, each in the transaction that records it. Returns whether more are left. */
  async retest(plan: EventPlan, { slug, organizationId }: Event): Promise<boolean> {
    const page = { page: 1, perPage: MAX_FINDINGS };
    const { items } = await this.findings.list(scope, slug, {}, 'newest', page);
    const left = items.filter(({ id, status }) => id > plan.retestedTo && !isDismissed(status)).map(({ id }) => id);
    const next = left.sort((one, other) => one - other).slice(0, MAX_RETESTS);
    const caller = new SystemCaller(organizationId);
    const description = {
      actor: caller.actor,
      operation: 'retest.start',
      resourceType: 'retest',
      organizationId,
    } as const;
    for (const findingId of next) {
      const start = async (): Promise<true | undefined> => {
        if (!(await this.plans.moveRetestsTo(plan, findingId))) return undefined;
        await this.retests.start(caller, { findingId, eventSlug: slug });
        return true;
      };
      try {
        await this.unitOfWork.runIfDue(description, scope, start);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        // Its finding cannot be retested now: the audit log has the reason.
        await this.plans.moveRetestsTo(plan, findingId);
      }
    }
    return left.length > next.length;
  }

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
