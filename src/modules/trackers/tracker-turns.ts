import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import { withinTime } from '../../kernel/within-time';
import { everything } from '../../platform/api/scope';
import { DestinationPauses, type DestinationReference, FeedService } from '../feed';
import type { Ticket } from './data/ticket.entity';
import { TicketsRepository } from './data/tickets.repository';
import type { Tracker } from './data/tracker.entity';
import { TrackersRepository } from './data/trackers.repository';
import {
  FACTS_MS,
  openFrom,
  OPENED_IN_A_TURN,
  OPENING_PAUSE_MS,
  POLL_MS,
  POLL_OVERLAP_MS,
  POLL_REACH_MS,
  STEP_MS,
  STEPS_MS,
  TURN_MS,
} from './domain/ticket-pace';
import { type TrackerApi, TrackerError } from './domain/tracker-api';
import { TicketFailures } from './ticket-failures';
import { type StepResult, TicketSteps } from './ticket-steps';
import { TrackerClients } from './tracker-clients';

const scope = everything('the tickets of all organizations are kept in step with their trackers');

/** After these other trackers have their turn. */
const MAX_STEPS = 50;
const MAX_ENTRIES = 1_000;
/** As an answer that is only about this ticket. */
const FAILED = 400;

const ofFindings = { types: ['finding.changed', 'finding.deleted', 'retest.changed'] };

/** What a worker does with a tracker when it is due: a test, what has changed on both sides, and the steps of its tickets. */
@Injectable()
export class TrackerTurns {
  private readonly logger = new Logger('trackers');

  constructor(
    private readonly trackers: TrackersRepository,
    private readonly tickets: TicketsRepository,
    private readonly clients: TrackerClients,
    private readonly steps: TicketSteps,
    private readonly failures: TicketFailures,
    private readonly pauses: DestinationPauses,
    private readonly feed: FeedService,
    private readonly clock: Clock,
  ) {}

  async run(reference: DestinationReference, stopped: AbortSignal): Promise<void> {
    const signal = withinTime(stopped, TURN_MS);
    const started = this.clock.now().getTime();
    const tracker = await this.find(reference);
    if (tracker === undefined) return;
    if (tracker.testRequested !== null) await this.guarded(tracker, null, signal, (api) => this.test(tracker, api));
    const active = await this.usable(reference);
    if (active === undefined) return;
    if (!(await this.pauses.hasMaker(active))) return this.failures.pause(active, 'maker_left');
    const isPolled = active.nextPoll !== null && active.nextPoll > this.clock.now();
    if (!isPolled) await this.guarded(active, null, signal, (api) => this.poll(active, api));
    let opened = 0;
    for (let step = 0; step < MAX_STEPS && this.clock.now().getTime() - started < STEPS_MS; step++) {
      if (signal.aborted) return;
      const current = await this.usable(reference);
      if (current === undefined) return;
      await this.pace(current, opened);
      const now = this.clock.now();
      const ticket = await this.tickets.take(current, { now, until: new Date(now.getTime() + STEP_MS) });
      if (ticket === undefined) return;
      const result = await this.guarded(current, ticket, signal, (api) => this.steps.run(api, current, ticket));
      if (result === 'opened') opened++;
      if (result === 'public') await this.failures.pause(current, 'public');
    }
  }

  /** Also of a tracker that is paused. It says nothing about how long the tracker fails. */
  private async test(tracker: Tracker, api: TrackerApi): Promise<StepResult> {
    const { account, isPublic, fields } = await api.facts();
    const tested = isPublic ? null : this.clock.now();
    const lastError = isPublic ? 'Everybody can read the project, so it gets no tickets. Make it private.' : null;
    const found = { account, fields: [...fields], tested, lastError, testRequested: null };
    return (await this.trackers.changeTested(tracker, found)) && isPublic ? 'public' : 'done';
  }

  private async poll(tracker: Tracker, api: TrackerApi): Promise<void> {
    const { organizationId, tested } = tracker;
    const now = this.clock.now();
    const since = tracker.polled ?? now;
    const { ids: remoteIds, until } = await api.changedSince(new Date(since.getTime() - POLL_OVERLAP_MS));
    const page = await this.feed.continueOfVisible(organizationId, ofFindings, Number(tracker.followed), MAX_ENTRIES);
    const findingIds = page.entries.map(({ type, recordId, data }) =>
      Number(type.startsWith('finding') ? recordId : data['finding_id']),
    );
    await this.tickets.lookAt(tracker, { remoteIds, findingIds }, now);
    const reach = new Date(now.getTime() - POLL_REACH_MS);
    await this.trackers.change(tracker, {
      polled: until > reach ? until : reach,
      nextPoll: new Date(now.getTime() + POLL_MS),
      followed: String(page.nextAfter),
    });
    if (tested === null || now.getTime() - tested.getTime() >= FACTS_MS)
      if ((await this.test(tracker, api)) === 'public') await this.failures.pause(tracker, 'public');
  }

  /** At most some tickets are opened at once, and in a day. */
  private async pace(tracker: Tracker, opened: number): Promise<void> {
    const now = this.clock.now();
    const isFull = opened >= OPENED_IN_A_TURN;
    const from = openFrom(tracker, now) ?? (isFull ? new Date(now.getTime() + OPENING_PAUSE_MS) : null);
    if (from !== null) await this.tickets.postponeWanted(tracker, now, from);
  }

  /** Keeps what a tracker refuses. A finding that was deleted meanwhile has taken its ticket with it. */
  private async guarded<T>(
    tracker: Tracker,
    ticket: Ticket | null,
    signal: AbortSignal,
    act: (api: TrackerApi) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const result = await act(this.clients.apiOf(tracker, signal));
      if (result !== 'public') await this.failures.clear(tracker);
      return result;
    } catch (thrown) {
      const isSlow = signal.aborted && (signal.reason as Error).name === 'TimeoutError';
      if (signal.aborted && !isSlow) throw thrown;
      const isMissing = thrown instanceof DomainError && thrown.kind === 'not_found';
      if (isMissing) return undefined;
      const error = thrown instanceof TrackerError ? thrown : this.unexpected(thrown, ticket, isSlow);
      await this.failures.keep(tracker, ticket, error);
      if (tracker.testRequested !== null)
        await this.trackers.changeTested(tracker, { testRequested: null, tested: null, lastError: error.message });
      return undefined;
    }
  }

  /** It is not tried again at once, whatever it is. */
  private unexpected(thrown: unknown, ticket: Ticket | null, isSlow: boolean): TrackerError {
    if (thrown instanceof DomainError) return new TrackerError('tracker', thrown.message);
    if (isSlow) return new TrackerError('tracker', 'The tracker answers too slowly.');
    this.logger.error(thrown);
    const text = 'The step has failed in Assay. The log of its operator says why.';
    return ticket === null ? new TrackerError('tracker', text) : new TrackerError('ticket', text, { status: FAILED });
  }

  private async usable(reference: DestinationReference): Promise<Tracker | undefined> {
    const tracker = await this.find(reference);
    const isResting = tracker?.resumeAt != null && tracker.resumeAt > this.clock.now();
    return tracker?.state !== 'active' || isResting ? undefined : tracker;
  }

  private find({ id, organizationId }: DestinationReference): Promise<Tracker | undefined> {
    return this.trackers.findOne(scope, organizationId, id);
  }
}
