import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What a link is opened for, and at which process. */
export interface TicketSubject {
  readonly beaconId: number;
  readonly organizationId: number;
  /** The reference of the work and its attempt, for the log of the relay. */
  readonly work: string;
  readonly attempt: number;
  readonly processId: string;
  /** Of the work, if it is traced. */
  readonly traceparent?: string;
}

const TICKET_MS = 60_000;
/** The clocks of two machines differ. */
const CLOCK_SKEW_MS = 30_000;

const contents = z.object({
  beaconId: z.int(),
  organizationId: z.int(),
  work: z.string(),
  attempt: z.int(),
  processId: z.string(),
  traceparent: z.string().optional(),
  until: z.int(),
  id: z.string(),
});

const macOf = (body: string, key: Buffer): Buffer => createHmac('sha256', key).update(body).digest();

export function newTicket(subject: TicketSubject, key: Buffer, now: Date): string {
  const { beaconId, organizationId, work, attempt, processId, traceparent } = subject;
  const until = now.getTime() + TICKET_MS;
  const fields = { beaconId, organizationId, work, attempt, processId, traceparent, until, id: randomUUID() };
  const body = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${body}.${macOf(body, key).toString('base64url')}`;
}

/** Accepts each ticket once, for 60 seconds, at the process that it was made for. */
export class TicketReader {
  private readonly used = new Map<string, number>();

  constructor(
    private readonly key: Buffer,
    private readonly processId: string,
  ) {}

  /** The reason if it is refused. */
  read(ticket: string, now: Date): TicketSubject | string {
    const [body = '', mac = ''] = ticket.split('.');
    const given = Buffer.from(mac, 'base64url');
    const expected = macOf(body, this.key);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'the ticket is not valid';
    const { data: fields } = contents.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
    if (fields === undefined) return 'the ticket is not valid';
    const time = now.getTime();
    for (const [id, until] of this.used) if (until + CLOCK_SKEW_MS <= time) this.used.delete(id);
    if (fields.until + CLOCK_SKEW_MS <= time || fields.until > time + TICKET_MS + CLOCK_SKEW_MS)
      return 'the ticket has expired';
    if (fields.processId !== this.processId) return 'the ticket is for another process';
    if (this.used.has(fields.id)) return 'the ticket was used before';
    this.used.set(fields.id, fields.until);
    return fields;
  }
}
