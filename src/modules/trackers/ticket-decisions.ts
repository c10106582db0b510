import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DomainError, PlacesTakenError } from '../../kernel/domain-error';
import { system, SystemCaller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { asDomainError } from '../../platform/database/database-errors';
import { Clock } from '../../kernel/clock';
import { FindingsService, type LockedFinding } from '../findings';
import { OrganizationsService } from '../organizations';
import { RetestsService } from '../retests';
import type { Ticket } from './data/ticket.entity';
import { TicketsRepository } from './data/tickets.repository';
import type { Tracker } from './data/tracker.entity';
import { type LastRetest, mayAsk, ticketFacts } from './domain/ticket-facts';
import { disagreementsAfter, isFollowed, type Move, moveOf, refusedMove } from './domain/ticket-states';
import { type RemoteTicket, TrackerError } from './domain/tracker-api';
import { AcceptanceRequests } from './acceptance-requests';
import { canRun, TicketTexts } from './ticket-texts';

const scope = everything('the tickets of all organizations follow their findings');

/** Of an organization, so that retests of people find room. */
const MAX_TESTED = 50;
const tooManyTested = () =>
  new PlacesTakenError(`${MAX_TESTED} tickets of the organization wait for a retest. It waits until one of them ends.`);

/** As an answer that may change later. */
const BUSY = 409;

/** Decides what follows for a ticket, and keeps it with what is to be written. */
@Injectable()
export class TicketDecisions {
  constructor(
    private readonly tickets: TicketsRepository,
    private readonly findings: FindingsService,
    private readonly retests: RetestsService,
    private readonly organizations: OrganizationsService,
    private readonly texts: TicketTexts,
    private readonly acceptance: AcceptanceRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns whether something follows. A retest that may not start is said in the ticket. */
  async decide(tracker: Tracker, ticket: Ticket, remote: RemoteTicket): Promise<boolean> {
    try {
      return await this.decided(tracker, ticket, remote, null);
    } catch (thrown) {
      const error = asDomainError(thrown);
      // It is no disagreement that too many other retests wait: it is tried again.
      if (error instanceof PlacesTakenError) throw new TrackerError('ticket', error.message, { status: BUSY });
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw thrown;
      return this.decided(tracker, ticket, remote, error.message);
    }
  }

  /** Locks in the order in which a retest is started: the organization, the finding, then the ticket. */
  private async decided(tracker: Tracker, ticket: Ticket, remote: RemoteTicket, refusal: string | null) {
    const { id, organizationId, findingId } = ticket;
    const entry = {
      operation: 'ticket.change',
      resourceType: 'ticket',
      resourceId: String(id),
      organizationId,
    } as const;
    const done = await this.unitOfWork.runIfDue({ actor: system, ...entry }, scope, async () => {
      await this.organizations.lockForCounting(scope, organizationId);
      const finding = await this.findings.lock(scope, findingId);
      const locked = await this.tickets.lockTaken(ticket);
      if (locked === undefined || !isFollowed(locked.state)) return undefined;
      const now = this.clock.now();
      const retest = (await this.retests.findLastOfVisible(findingId)) ?? null;
      const judged = { ...finding, hasCheck: canRun(finding) };
      const { state, retest: asked, disagreements, changed } = locked;
      const side = { state, retest: asked, disagreements, changed };
      const opensNew = tracker.regression === 'new';
      const facts = ticketFacts(side, judged, retest, {
        seen: remote.category,
        opensNew,
        now,
      });
      const move = moveOf(facts);
      if (move === undefined) return undefined;
      const made = move.retest && refusal !== null ? refusedMove : move;
      await this.make({ locked, finding, retest, refusal }, made);
      this.unitOfWork.note({ metadata: { finding_id: findingId, key: locked.key, from: locked.state, to: made.to } });
      return true;
    });
    return done === true;
  }

  private async make(
    {
      locked,
      finding,
      retest,
      refusal,
    }: { locked: Ticket; finding: LockedFinding; retest: LastRetest | null; refusal: string | null },
    move: Move,
  ): Promise<void> {
    const { organizationId, findingId } = locked;
    const now = this.clock.now();
    if (move.retest && (await this.tickets.countTestedOfLocked(organizationId)) >= MAX_TESTED) throw tooManyTested();
    const started = move.retest
      ? (await this.retests.start(new SystemCaller(organizationId), { findingId })).retest.uuid
      : locked.retest;
    const asks = move.asksAdmins === true && mayAsk(locked.asked, now);
    if (asks) await this.acceptance.request(locked, finding);
    if (move === refusedMove)
      await this.findings.note(system, finding, `Ticket ${locked.key} is open again: no test can start. ${refusal}`);
    if (move.say === 'person')
      await this.findings.note(
        system,
        finding,
        `Ticket ${locked.key}: the tracker and the tests have disagreed three times. A person decides.`,
      );
    const says = move.say !== undefined || move.write !== undefined;
    await this.tickets.change(locked, {
      state: move.to,
      disagreements: disagreementsAfter(locked.disagreements, move),
      retest: started,
      ...(asks && { asked: now }),
      ...(says && {
        writeId: randomUUID(),
        writeTo: move.write ?? null,
        writeText: move.say === undefined ? null : this.texts.note(move.say, finding, retest),
        writeSince: now,
      }),
      attempts: 0,
      firstAttempt: null,
      nextAttempt: now,
      error: null,
      ...(move.to !== locked.state && { changed: now }),
    });
    const { id: replaces, trackerId } = locked;
    if (move.to === 'replaced')
      await this.tickets.add([{ organizationId, trackerId, findingId, byHand: false, replaces }], now);
  }
}
