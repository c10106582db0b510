import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import { Clock } from '../../kernel/clock';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { FindingsService, type FindingWithCheck, isOpen } from '../findings';
import type { Ticket } from './data/ticket.entity';
import { TicketsRepository } from './data/tickets.repository';
import type { Tracker } from './data/tracker.entity';
import { TrackersRepository } from './data/trackers.repository';
import { countedDay, lookAgain } from './domain/ticket-pace';
import type { RemoteTicket, TrackerApi } from './domain/tracker-api';
import { TicketDecisions } from './ticket-decisions';
import { TicketTexts } from './ticket-texts';
import { openTicket, readTicket, writeTicket } from './ticket-writing';

const scope = everything('the tickets of all organizations are kept in step with their trackers');

/** The clocks of two servers differ. */
const SKEW_MS = 600_000;

const NO_WAY = 'The workflow of the tracker has no transition there that needs no further field. A person decides.';

export type StepResult = 'opened' | 'done' | 'public';

/** One step of a ticket: its opening, what waits to be written, or a look. */
@Injectable()
export class TicketSteps {
  constructor(
    private readonly tickets: TicketsRepository,
    private readonly trackers: TrackersRepository,
    private readonly findings: FindingsService,
    private readonly decisions: TicketDecisions,
    private readonly texts: TicketTexts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async run(api: TrackerApi, tracker: Tracker, ticket: Ticket): Promise<StepResult> {
    const { state, remoteId, writeId } = ticket;
    if (remoteId === null)
      return ticket.key === null ? this.open(api, tracker, ticket) : this.link(api, ticket, ticket.key);
    if (writeId !== null) return this.write(api, ticket, remoteId);
    if (state === 'wanted') throw new Error('a ticket that was found is followed');
    const remote = await readTicket(api, remoteId, ticket.version);
    if (remote === undefined) return this.gone(ticket);
    const { version, key, url } = remote;
    if (await this.decisions.decide(tracker, ticket, remote)) await this.tickets.change(ticket, { version, key, url });
    else await this.keep(ticket, { version, key, url });
    return 'done';
  }

  /** Strangers must not read it. A finding that is no longer open needs none. */
  private async open(api: TrackerApi, tracker: Tracker, ticket: Ticket): Promise<StepResult> {
    const finding = await this.findings.getWithCheck(scope, ticket.findingId);
    if (!needsTicket(finding)) {
      await this.changed('ticket.drop', ticket, (locked) => this.tickets.remove(locked));
      return 'done';
    }
    if (await api.isPublic()) return 'public';
    const since = new Date((ticket.firstAttempt ?? this.clock.now()).getTime() - SKEW_MS);
    const earlier = ticket.replaces === null ? null : await this.tickets.findUrlOfVisible(ticket.replaces);
    const remote = await openTicket(api, this.texts.ticketOf(tracker, ticket, finding, earlier), since);
    await this.changed('ticket.open', ticket, async (locked) => {
      await this.found(locked, remote);
      const day = await this.trackers.lockOne(scope, tracker.organizationId, tracker.id);
      if (day !== undefined) await this.trackers.change(day, countedDay(day, this.clock.now()));
    });
    return 'opened';
  }

  private async link(api: TrackerApi, ticket: Ticket, key: string): Promise<StepResult> {
    const remote = await api.get(key);
    if (remote === undefined) return this.refuse(ticket, `The project has no ticket ${key}.`);
    if (remote.isConfidential === false)
      return this.refuse(
        ticket,
        `The ticket ${key} is not confidential. Make it confidential in GitLab, then try again.`,
      );
    const finding = await this.findings.get(scope, ticket.findingId);
    const text = this.texts.note('linked', { ...finding, acceptedUntil: null }, null);
    const note = { writeId: randomUUID(), writeText: text, writeSince: this.clock.now() };
    try {
      await this.changed('ticket.link', ticket, (locked) => this.found(locked, remote, note));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.refuse(ticket, `The ticket ${key} belongs to another finding.`);
    }
    return 'done';
  }

  private async write(api: TrackerApi, ticket: Ticket, remoteId: string): Promise<StepResult> {
    const { writeId: id, writeTo: to, writeText: text, writeSince, version: known, created } = ticket;
    const since = new Date((writeSince ?? created).getTime() - SKEW_MS);
    const note = id === null || text === null ? null : { id, text, since };
    const { ticket: remote, isStuck } = await writeTicket(api, remoteId, { to, note }, known);
    if (remote === undefined) return this.gone(ticket);
    const { version, key, url } = remote;
    const written = { writeId: null, writeTo: null, writeText: null, writeSince: null };
    await this.changed('ticket.write', ticket, async (locked) => {
      const state = isStuck ? 'person' : locked.state;
      await this.tickets.change(locked, {
        ...written,
        ...this.next(state),
        ...(isStuck && { state, error: NO_WAY }),
        version,
        key,
        url,
      });
    });
    return 'done';
  }

  private found(locked: Ticket, { id, key, url, version }: RemoteTicket, further: Partial<Ticket> = {}): Promise<void> {
    const now = this.clock.now();
    const found = { state: 'open', remoteId: id, key, url, version, changed: now } as const;
    const nextAttempt = further.writeId === undefined ? lookAgain('open', now) : now;
    return this.tickets.change(locked, { ...found, ...this.next('open'), nextAttempt, ...further });
  }

  /** Said, and not made again: somebody may have deleted it on purpose. */
  private async gone(ticket: Ticket): Promise<StepResult> {
    await this.changed('ticket.lose', ticket, async (locked) => {
      const finding = await this.findings.get(scope, locked.findingId);
      await this.findings.note(
        system,
        finding,
        `Ticket ${locked.key} was deleted in the tracker, or moved out of its project.`,
      );
      await this.tickets.change(locked, {
        state: 'gone',
        nextAttempt: null,
        attempts: 0,
        writeId: null,
        writeTo: null,
        writeText: null,
      });
    });
    return 'done';
  }

  /** A person corrects it, and nothing is tried again by itself. */
  private async refuse(ticket: Ticket, error: string): Promise<StepResult> {
    await this.keep(ticket, { error, nextAttempt: null });
    return 'done';
  }

  private async keep(ticket: Ticket, change: Partial<Ticket>): Promise<void> {
    // Why a person decides stays visible.
    await this.changed(null, ticket, ({ error, ...locked }) =>
      this.tickets.change(locked, {
        ...this.next(locked.state),
        ...(locked.state === 'person' && { error }),
        ...change,
      }),
    );
  }

  private next(state: Ticket['state']) {
    return { attempts: 0, firstAttempt: null, nextAttempt: lookAgain(state, this.clock.now()), error: null };
  }

  /** Changes nothing if another worker has begun the step again. Without an operation it leaves no audit entry. */
  private async changed(
    operation: string | null,
    ticket: Ticket,
    change: (locked: Ticket) => Promise<void>,
  ): Promise<void> {
    const { id, organizationId, findingId } = ticket;
    const resource = { resourceType: 'ticket', resourceId: String(id), organizationId } as const;
    const metadata = { finding_id: findingId };
    const entry = { actor: system, operation: operation ?? 'ticket.look', ...resource, metadata };
    await this.unitOfWork.runIfDue(entry, scope, async () => {
      const locked = await this.tickets.lockTaken(ticket);
      if (locked === undefined) return undefined;
      await change(locked);
      return operation === null ? undefined : true;
    });
  }
}

const needsTicket = ({ status, mergedInto }: FindingWithCheck): boolean => isOpen(status) && mergedInto === null;
