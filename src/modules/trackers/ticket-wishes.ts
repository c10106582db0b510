import { Injectable } from '@nestjs/common';
import { everything } from '../../platform/api/scope';
import type { DestinationReference, Entry, WaitingEntries } from '../feed';
import { isOpen, NotifiedFindingsRepository } from '../findings';
import { TicketsRepository } from './data/tickets.repository';
import { TrackersRepository } from './data/trackers.repository';

const scope = everything('entries of all feeds become tickets of trackers');

/** Findings that match the filter of a tracker, and get a ticket without a person. */
@Injectable()
export class TicketWishes implements WaitingEntries {
  constructor(
    private readonly tickets: TicketsRepository,
    private readonly trackers: TrackersRepository,
    private readonly findings: NotifiedFindingsRepository,
  ) {}

  countWaitingOfLocked(tracker: DestinationReference): Promise<number> {
    return this.tickets.countWaitingOfLocked(tracker);
  }

  /** Of open findings without a ticket. They are not stored twice. */
  async addEntries(reference: DestinationReference, entries: readonly Entry[], now: Date): Promise<void> {
    const { id: trackerId, organizationId } = reference;
    const tracker = await this.trackers.findOne(scope, organizationId, trackerId);
    if (tracker?.automatic !== true) return;
    const ids = entries.filter(({ type }) => type.startsWith('finding.')).map(({ recordId }) => Number(recordId));
    const findings = await this.findings.listOfVisible(organizationId, [...new Set(ids)]);
    const wanted = findings.filter(({ status }) => isOpen(status));
    const rows = wanted.map(({ id: findingId }) => ({ organizationId, trackerId, findingId, byHand: false }));
    await this.tickets.add(rows, now);
  }
}
