import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { DestinationPauses, pauseOf } from '../feed';
import { outcomeOf } from '../webhooks';
import type { Ticket } from './data/ticket.entity';
import { TicketsRepository } from './data/tickets.repository';
import type { Tracker } from './data/tracker.entity';
import { TrackersRepository } from './data/trackers.repository';
import { INDEX_MS } from './domain/ticket-pace';
import type { TrackerError } from './domain/tracker-api';
import { trackerKind, type TrackerPause } from './domain/tracker-vocabulary';

const scope = everything('the tickets of all organizations are kept in step with their trackers');

/** Keeps why a step failed, and when it is tried again. */
@Injectable()
export class TicketFailures {
  constructor(
    private readonly trackers: TrackersRepository,
    private readonly tickets: TicketsRepository,
    private readonly pauses: DestinationPauses,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A tracker that refuses everything rests, and is paused after three days. */
  async keep(tracker: Tracker, ticket: Ticket | null, error: TrackerError): Promise<void> {
    const now = this.clock.now();
    const { status, retryAfter = 0 } = error.answer;
    const answer = status === undefined ? ({ error: 'unreachable', ms: 0 } as const) : { status, retryAfter, ms: 0 };
    await this.unitOfWork.runIfDue(pauseOf(trackerKind, tracker), scope, async () => {
      const locked = await this.trackers.lockOne(scope, tracker.organizationId, tracker.id);
      if (locked === undefined) return undefined;
      const taken = ticket === null ? undefined : await this.tickets.lockTaken(ticket);
      const isOfTicket = error.of === 'ticket' && status !== undefined;
      const misses = locked.misses + 1;
      const attempts = isOfTicket ? (taken?.attempts ?? 1) : misses;
      const firstAttempt = isOfTicket ? (taken?.firstAttempt ?? now) : now;
      const outcome = outcomeOf({ answer, now, attempts, firstAttempt, receiver: locked });
      const isLost = status === undefined || status >= 500;
      const next = outcome.nextAttempt && later(outcome.nextAttempt, isLost ? new Date(now.getTime() + INDEX_MS) : now);
      if (taken !== undefined) await this.tickets.change(taken, { error: error.message, nextAttempt: next });
      if (error.of === 'ticket') return undefined;
      const { failingSince, resumeAt } = outcome.receiver;
      await this.trackers.change(locked, {
        failingSince,
        misses,
        resumeAt: resumeAt ?? next,
        lastError: error.message,
      });
      if (locked.state === 'paused' || (outcome.pause !== 'gone' && outcome.pause !== 'failing')) return undefined;
      await this.pauses.pause(this.trackers, locked, outcome.pause);
      return true;
    });
  }

  async pause(tracker: Tracker, reason: TrackerPause): Promise<void> {
    await this.unitOfWork.runIfDue(pauseOf(trackerKind, tracker), scope, async () => {
      const locked = await this.trackers.lockOne(scope, tracker.organizationId, tracker.id);
      if (locked?.state !== 'active') return undefined;
      if (reason === 'public')
        await this.trackers.change(locked, { tested: null, lastError: trackerKind.pauses.public });
      await this.pauses.pause(this.trackers, locked, reason);
      return true;
    });
  }

  /** The tracker has accepted a request. */
  async clear(tracker: Tracker): Promise<void> {
    if (tracker.misses === 0 && tracker.failingSince === null && tracker.lastError === null) return;
    await this.trackers.change(tracker, { failingSince: null, misses: 0, resumeAt: null, lastError: null });
  }
}

const later = (one: Date, other: Date): Date => (one > other ? one : other);
