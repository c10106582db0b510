import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { EventsService } from '../../events';
import { ACTIVE_EVENT_JOB_KIND, EVENT_JOB_KIND, EventJobs, JobRun, WINDOW_CLOSED } from '../../jobs';
import { EVENT_JOB_SLOTS } from '../domain/capacity';
import { termsOf } from '../event-terms';

const scope = everything('a worker runs the jobs of the events of all organizations');

/** Runs the jobs of machine events within their windows and at their pace, in slots of their own. */
@Injectable()
@WorkKind(EVENT_JOB_KIND)
export class EventJobRun implements WorkHandler {
  readonly maxConcurrent = EVENT_JOB_SLOTS;

  constructor(
    private readonly events: EventsService,
    private readonly jobs: EventJobs,
    private readonly runs: JobRun,
    private readonly clock: Clock,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const event = claim.eventId === null ? undefined : await this.events.findById(scope, claim.eventId);
    const now = this.clock.now();
    const terms = event?.automatic === true ? termsOf(event, now) : undefined;
    // Its plan starts it again when the event may send something.
    if (event === undefined || terms === undefined || !terms.isOpen) return this.canceled(claim);
    // By the clock of the process, which the job runs by.
    const end = { at: new Date(Date.now() + terms.until.getTime() - now.getTime()), reason: WINDOW_CLOSED };
    return this.runs.perform(claim, signal, { end });
  }

  abandon(claim: Claim, error: string, limit?: string): Completion {
    return this.runs.abandon(claim, error, limit);
  }

  private canceled(claim: Claim): Completion {
    return {
      audit: workAudit(claim, { operation: 'job.cancel', resourceType: 'job' }),
      apply: async () => void (await this.jobs.cancel(scope, claim.reference)),
    };
  }
}

/** The same for events with depth active, whose jobs take hours. */
@Injectable()
@WorkKind(ACTIVE_EVENT_JOB_KIND)
export class ActiveEventJobRun extends EventJobRun {}
