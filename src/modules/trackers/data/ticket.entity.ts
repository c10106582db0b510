import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { TicketState } from '../domain/ticket-states';
import type { TicketText } from '../domain/ticket-text';

/** The ticket of a finding. */
@Entity({ name: 'tickets' })
export class Ticket extends NumberedRow {
  @Column({ name: 'tracker_id', type: 'int' })
  trackerId!: number;

  @Column({ name: 'finding_id', type: 'int' })
  findingId!: number;

  /** Part of the ticket in the tracker, which is found with it after a lost answer. */
  @Column({ type: 'uuid' })
  marker!: string;

  @Column({ type: 'text' })
  state!: TicketState;

  /** Null until it is opened or, for an existing one, found. */
  @Column({ name: 'remote_id', type: 'text', nullable: true })
  remoteId!: string | null;

  /** As people read it. Before it is found, what a person has typed. */
  @Column({ type: 'text', nullable: true })
  key!: string | null;

  @Column({ type: 'text', nullable: true })
  url!: string | null;

  /** Of its last change that was read or written. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  version!: Date | null;

  /** How often a test has reopened it, or a person what a test had closed. */
  @Column({ type: 'int', default: 0 })
  disagreements!: number;

  /** When admins were last asked to accept the risk. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  asked!: Date | null;

  /** The last retest that it has asked for. */
  @Column({ type: 'uuid', nullable: true })
  retest!: string | null;

  /** What waits to be written: the marker of the note, the state, and the text. */
  @Column({ name: 'write_id', type: 'uuid', nullable: true })
  writeId!: string | null;

  @Column({ name: 'write_to', type: 'text', nullable: true })
  writeTo!: 'open' | 'closed' | null;

  @Column({ name: 'write_text', type: 'jsonb', nullable: true })
  writeText!: TicketText | null;

  @Column({ name: 'write_since', type: 'timestamptz', precision: 3, nullable: true })
  writeSince!: Date | null;

  /** The ticket of the same finding before a regression. */
  @Column({ type: 'int', nullable: true })
  replaces!: number | null;

  /** A person has asked for it. */
  @Column({ name: 'by_hand', type: 'boolean' })
  byHand!: boolean;

  /** How often a worker has begun a step. */
  @Column({ type: 'int', default: 0 })
  claims!: number;

  /** Of the step that is due. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  @Column({ name: 'first_attempt', type: 'timestamptz', precision: 3, nullable: true })
  firstAttempt!: Date | null;

  /** During an attempt: when it counts as lost. Null if nothing is due by itself. */
  @Column({ name: 'next_attempt', type: 'timestamptz', precision: 3, nullable: true })
  nextAttempt!: Date | null;

  /** Why the last step failed; null if it did not. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** When its state changed. */
  @Column({ type: 'timestamptz', precision: 3 })
  changed!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

export type TicketReference = Pick<Ticket, 'id' | 'organizationId'>;
