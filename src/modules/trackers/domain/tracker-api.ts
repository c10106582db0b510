import { asLine } from '../../../kernel/plain-text';
import type { SeenCategory } from './ticket-states';
import type { TicketText } from './ticket-text';

export interface RemoteTicket {
  /** Stays the same when the ticket moves to another project of its tracker. */
  readonly id: string;
  /** As people read it, such as SEC-12 or #12. */
  readonly key: string;
  readonly url: string;
  readonly category: SeenCategory;
  /** Stated only in GitLab, where guests read the others. */
  readonly isConfidential?: boolean;
  /** Of its last change. An answer that shows an earlier one is stale. */
  readonly version: Date;
  /** Of the finding's ticket, if Assay has opened it. */
  readonly marker: string | null;
}

export interface NewTicket {
  readonly marker: string;
  readonly title: string;
  readonly body: TicketText;
  readonly priority: string | null;
  readonly labels: readonly string[];
  readonly component: string | null;
  readonly assignee: string | null;
}

/** What Assay writes below a ticket, once: `id` is its marker. */
export interface TicketNote {
  readonly id: string;
  readonly text: TicketText;
  readonly since: Date;
}

export interface RequiredField {
  readonly name: string;
  /** Whether Assay fills it. */
  readonly isFilled: boolean;
}

/** What a test of a tracker has found. */
export interface TrackerFacts {
  /** The account whose credentials these are, as the tracker names it. */
  readonly account: string;
  readonly project: string;
  readonly isPublic: boolean;
  readonly fields: readonly RequiredField[];
}

/** A tracker with its account, as the rest of the module sees it. Each call is one or a few requests. */
export interface TrackerApi {
  facts(): Promise<TrackerFacts>;
  isPublic(): Promise<boolean>;
  /** A ticket of our account with this marker, among those created since. */
  find(marker: string, since: Date): Promise<RemoteTicket | undefined>;
  create(ticket: NewTicket): Promise<RemoteTicket>;
  /** By its id, or by the key that a person has typed. Undefined if it was deleted. */
  get(id: string): Promise<RemoteTicket | undefined>;
  hasNote(id: string, note: TicketNote): Promise<boolean>;
  addNote(id: string, note: TicketNote): Promise<void>;
  /** The ticket after it; undefined if the workflow has no way there. */
  changeState(id: string, to: 'open' | 'closed'): Promise<RemoteTicket | undefined>;
  /** Ids of tickets that were changed since, the oldest change first, and from when to ask next. */
  changedSince(since: Date): Promise<{ readonly ids: readonly string[]; readonly until: Date }>;
}

/** Whose fault it is: of all tickets of the tracker, or of this one. */
export type FailureOf = 'tracker' | 'ticket';

const MAX_MESSAGE = 1_000;

export class TrackerError extends Error {
  constructor(
    readonly of: FailureOf,
    message: string,
    readonly answer: { readonly status?: number; readonly retryAfter?: number } = {},
  ) {
    super(asLine(message.slice(0, MAX_MESSAGE)));
    this.name = 'TrackerError';
  }
}
