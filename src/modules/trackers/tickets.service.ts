import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { FindingsService, isOpen, NotifiedFindingsRepository, requireNotMerged } from '../findings';
import type { Ticket } from './data/ticket.entity';
import { type TicketFilter, TicketsRepository } from './data/tickets.repository';
import type { Tracker } from './data/tracker.entity';
import {
  confirmationNeeded,
  findingNotFound,
  findingNotOpen,
  hasTicket,
  keyInvalid,
  nothingToRetry,
  ticketNotFound,
  trackerNotFound,
  trackerPaused,
  trackerUnclear,
} from './domain/tracker.errors';
import { TRACKER_LABELS } from './domain/tracker-vocabulary';
import { TrackersService } from './trackers.service';

interface TicketRequest {
  /** By default the only active one. */
  readonly trackerId?: number | undefined;
  /** Of an existing ticket. */
  readonly key?: string | undefined;
}

/** The tickets of findings, as people ask for them. */
@Injectable()
export class TicketsService {
  constructor(
    private readonly tickets: TicketsRepository,
    private readonly trackers: TrackersService,
    private readonly findings: FindingsService,
    private readonly notified: NotifiedFindingsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('ticket')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.tickets.findOrganization(scope, Number(id));
  }

  async get(scope: Scope, findingId: number): Promise<Ticket> {
    await this.findings.get(scope, findingId);
    return orThrow(await this.find(scope, findingId), ticketNotFound);
  }

  async find(scope: Scope, findingId: number): Promise<Ticket | undefined> {
    const ticket = await this.tickets.findOfFinding(scope, findingId);
    return ticket?.state === 'unlinked' ? undefined : ticket;
  }

  /** A worker opens it, or looks for the existing one. */
  async open(caller: Caller, findingId: number, { trackerId, key }: TicketRequest): Promise<Ticket> {
    const finding = await this.findings.lock(caller.scope, findingId);
    const { organizationId, status } = finding;
    this.unitOfWork.note({ organizationId, metadata: { finding_id: findingId, ...(key && { key }) } });
    caller.requireRole('member', organizationId);
    requireNotMerged(finding);
    if (!isOpen(status)) throw findingNotOpen();
    const tracker = await this.trackerOf(caller, organizationId, trackerId);
    if (key !== undefined && !TRACKER_LABELS[tracker.kind].key.test(key)) throw keyInvalid();
    const before = await this.tickets.lockOfFinding(caller.scope, findingId);
    if (before !== undefined && before.state !== 'unlinked') throw hasTicket();
    if (before !== undefined) await this.tickets.remove(before);
    const row = { organizationId, trackerId: tracker.id, findingId, byHand: true, key: key ?? null };
    if ((await this.tickets.add([row], this.clock.now())) === 0) throw hasTicket();
    const ticket = await this.get(caller.scope, findingId);
    this.unitOfWork.note({ resourceId: String(ticket.id) });
    return ticket;
  }

  /** Of findings without one. The number must be confirmed: a filter may find more than a person thinks. */
  async openMany(
    caller: Caller,
    organizationId: number,
    trackerId: number,
    { findingIds, confirm }: { readonly findingIds: readonly number[]; readonly confirm: number | undefined },
  ): Promise<number> {
    const tracker = await this.trackers.lockForAdmin(caller, organizationId, trackerId);
    const listed = await this.notified.listOfVisible(organizationId, findingIds);
    if (listed.length < findingIds.length) throw findingNotFound();
    if (!listed.every(({ status }) => isOpen(status))) throw findingNotOpen();
    if (tracker.state !== 'active') throw trackerPaused();
    const without = await this.tickets.listWithoutOfVisible(organizationId, findingIds);
    if (confirm !== without.length) throw confirmationNeeded(without.length);
    const rows = without.map((findingId) => ({ organizationId, trackerId, findingId, byHand: false }));
    const count = await this.tickets.add(rows, this.clock.now());
    this.unitOfWork.note({ metadata: { tickets: count } });
    return count;
  }

  /** The ticket in the tracker stays as it is, and the filter of a tracker opens no other one. */
  async unlink(caller: Caller, findingId: number): Promise<void> {
    const ticket = await this.lock(caller, findingId);
    await this.unitOfWork.checkCondition();
    await this.tickets.change(ticket, {
      state: 'unlinked',
      nextAttempt: null,
      writeId: null,
      writeTo: null,
      writeText: null,
      changed: this.clock.now(),
    });
  }

  /** After a failure, or when a person has decided what the tracker and the tests disagree about. */
  async retry(caller: Caller, findingId: number): Promise<Ticket> {
    const ticket = await this.lock(caller, findingId);
    const isDecided = ticket.state === 'person';
    if (ticket.error === null && !isDecided) throw nothingToRetry();
    const now = this.clock.now();
    await this.tickets.change(ticket, {
      attempts: 0,
      nextAttempt: now,
      error: null,
      ...(isDecided && { state: 'open', disagreements: 0, changed: now }),
    });
    return this.get(caller.scope, findingId);
  }

  async list(
    caller: Caller,
    organizationId: number,
    trackerId: number,
    filter: TicketFilter,
    page: Page,
  ): Promise<Slice<Ticket>> {
    const tracker = await this.trackers.get(caller, organizationId, trackerId);
    return this.tickets.listOfVisible(tracker, filter, page);
  }

  private async lock(caller: Caller, findingId: number): Promise<Ticket> {
    const { organizationId } = await this.findings.get(caller.scope, findingId);
    this.unitOfWork.note({ organizationId, metadata: { finding_id: findingId } });
    caller.requireRole('member', organizationId);
    const ticket = orThrow(await this.tickets.lockOfFinding(caller.scope, findingId), ticketNotFound);
    if (ticket.state === 'unlinked') throw ticketNotFound();
    this.unitOfWork.note({ resourceId: String(ticket.id), metadata: { key: ticket.key } });
    return ticket;
  }

  private async trackerOf(caller: Caller, organizationId: number, id: number | undefined): Promise<Tracker> {
    const usable = await this.trackers.listUsableOfVisible(organizationId, caller.scope);
    if (id === undefined && usable.length !== 1) throw trackerUnclear();
    const tracker = id === undefined ? usable[0] : await this.trackers.find(caller.scope, organizationId, id);
    if (tracker === undefined) throw trackerNotFound();
    if (tracker.state !== 'active') throw trackerPaused();
    return tracker;
  }
}
