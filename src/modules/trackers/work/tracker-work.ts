import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Work } from '../../../platform/work/work';
import { workAudit } from '../../../platform/work/work-audit';
import { type Completion, Scheduled, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { DestinationFeeding } from '../../feed';
import { TrackersRepository } from '../data/trackers.repository';
import { TRACKER_WORK } from '../domain/tracker-vocabulary';
import { TicketWishes } from '../ticket-wishes';
import { TrackerTurns } from '../tracker-turns';

const scope = everything('the tickets of all organizations are kept in step with their trackers');

/** A turn of a tracker. The scheduled task adds the next one while something is due. */
@Injectable()
@WorkKind(TRACKER_WORK)
export class TrackerWork implements WorkHandler {
  readonly maxConcurrent = 3;
  readonly isRepeatable = true;

  constructor(
    private readonly feeding: DestinationFeeding,
    private readonly wishes: TicketWishes,
    private readonly turns: TrackerTurns,
    private readonly trackers: TrackersRepository,
    private readonly work: Work,
    private readonly tenants: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'tracker.due', everySeconds: 5 })
  async run(): Promise<void> {
    try {
      await this.feeding.feedAll('tracker.due:feed', this.trackers, this.wishes);
    } finally {
      const due = (part: Scope) => this.trackers.listDue(part, this.clock.now());
      await this.tenants.each('tracker.due', scope, due, ({ id, organizationId }) =>
        this.work.enqueue({ kind: TRACKER_WORK, reference: String(id), organizationId }),
      );
    }
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const { organizationId, reference } = claim;
    if (organizationId !== null) await this.turns.run({ id: Number(reference), organizationId }, signal);
    return completion(claim);
  }

  /** What is due is taken again in the next turn. */
  abandon(claim: Claim, error: string): Completion {
    return completion(claim, { error });
  }
}

const completion = (claim: Claim, metadata?: Record<string, unknown>): Completion => ({
  audit: workAudit(claim, { operation: 'tracker.work', resourceType: 'tracker', metadata }),
  apply: async () => undefined,
  isSilent: metadata === undefined,
});
