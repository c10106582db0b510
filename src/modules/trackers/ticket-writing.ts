import {
  type NewTicket,
  type RemoteTicket,
  type TicketNote,
  type TrackerApi,
  TrackerError,
} from './domain/tracker-api';

/** What is to be written to a ticket. */
export interface TicketWrite {
  readonly to: 'open' | 'closed' | null;
  readonly note: TicketNote | null;
}

export interface Written {
  /** As it is after the write. Undefined if it was deleted. */
  readonly ticket: RemoteTicket | undefined;
  /** The workflow has no way to the state. */
  readonly isStuck: boolean;
}

/** Opens a ticket once: an attempt whose answer was lost may have opened it, so its marker is searched first. */
export const openTicket = async (api: TrackerApi, ticket: NewTicket, firstAttempt: Date): Promise<RemoteTicket> =>
  (await api.find(ticket.marker, firstAttempt)) ?? api.create(ticket);

/** A replica or a cache of the tracker may answer with a state from before our own write, which is no decision of a person. */
export async function readTicket(api: TrackerApi, id: string, known: Date | null): Promise<RemoteTicket | undefined> {
  const ticket = await api.get(id);
  if (ticket !== undefined && known !== null && ticket.version < known)
    throw new TrackerError('ticket', 'The tracker has answered with an earlier state of the ticket.');
  return ticket;
}

/**
 * May be repeated after any loss: what is there is not written again. The note comes last, so that its marker says that all
 * of the write is done, also when a person has changed the state since.
 */
export async function writeTicket(
  api: TrackerApi,
  id: string,
  { to, note }: TicketWrite,
  known: Date | null,
): Promise<Written> {
  const before = await readTicket(api, id, known);
  if (before === undefined) return { ticket: undefined, isStuck: false };
  if (note !== null && (await api.hasNote(id, note))) return { ticket: before, isStuck: false };
  const isThere = to === null || (before.category === 'open') === (to === 'open');
  const changed = isThere ? before : await api.changeState(id, to);
  if (note !== null) await api.addNote(id, note);
  return { ticket: changed ?? before, isStuck: changed === undefined };
}
