import { Column } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { Severity } from '../../../kernel/severity';
import type { DestinationState } from '../domain/destinations';
import type { FeedRule } from '../domain/feed-rule';

/** A receiver of the feed of an organization: the columns that all kinds have. */
export abstract class Destination extends NumberedRow implements FeedRule {
  /** The secret, encrypted with SECRET_KEY. */
  abstract sealed: Buffer | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', array: true, default: '{}' })
  types!: string[];

  @Column({ type: 'text', nullable: true })
  severity!: Severity | null;

  @Column({ type: 'text', array: true, default: '{}' })
  statuses!: string[];

  @Column({ name: 'event_ids', type: 'int', array: true, default: '{}' })
  eventIds!: number[];

  @Column({ type: 'text', array: true, default: '{}' })
  labels!: string[];

  @Column({ type: 'boolean', default: false })
  confirmed!: boolean;

  /** In the form of list filters, such as group:3. It matches nothing once the owner is removed. */
  @Column({ type: 'text', nullable: true })
  owner!: string | null;

  @Column({ type: 'text', default: 'active' })
  state!: DestinationState;

  /** Null while it is active. Each kind has reasons of its own. */
  @Column({ name: 'pause_reason', type: 'text', nullable: true })
  pauseReason!: string | null;

  /** The position in the feed up to which entries were taken. */
  @Column({ type: 'bigint' })
  cursor!: string;

  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** Who saved it last. Nothing is sent unless that user is an admin. */
  @Column({ name: 'maker_id', type: 'int' })
  makerId!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

export type DestinationReference = Pick<Destination, 'id' | 'organizationId'>;
