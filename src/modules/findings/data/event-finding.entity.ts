import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Priority } from '../domain/priority';

/** A finding that was seen in an event, by a job or recorded by hand. */
@Entity({ name: 'event_findings' })
export class EventFinding {
  @PrimaryColumn({ name: 'event_id', type: 'int', primaryKeyConstraintName: 'pk_event_findings' })
  eventId!: number;

  @PrimaryColumn({ name: 'finding_id', type: 'int', primaryKeyConstraintName: 'pk_event_findings' })
  findingId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_event_findings' })
  organizationId!: number;

  /** A copy of the finding's, for the order of the event's list. */
  @Column({ type: 'int' })
  severity!: number;

  /** A copy of the finding's. */
  @Column({ type: 'int' })
  priority!: Priority;

  @Column({ name: 'first_seen', type: 'timestamptz', precision: 3, default: () => 'now()' })
  firstSeen!: Date;

  @Column({ name: 'last_seen', type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastSeen!: Date;
}
