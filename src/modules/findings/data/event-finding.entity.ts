import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { Priority } from '../domain/priority';

/** A finding that was seen in an event, by a job or recorded by hand. */
@Entity({ name: 'event_findings' })
export class EventFinding extends TenantRow {
  @PrimaryColumn({ name: 'event_id', type: 'int' })
  eventId!: number;

  @PrimaryColumn({ name: 'finding_id', type: 'int' })
  findingId!: number;

  /** Copied from the finding, for sorting the event's list. */
  @Column({ type: 'int' })
  severity!: number;

  /** Copied from the finding. */
  @Column({ type: 'int' })
  priority!: Priority;

  /** The order within the priority: `beliefRankOf` for the finding. */
  @Column({ name: 'belief_rank', type: 'int', default: 1 })
  beliefRank!: number;

  @Column({ name: 'first_seen', type: 'timestamptz', precision: 3, default: () => 'now()' })
  firstSeen!: Date;

  @Column({ name: 'last_seen', type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastSeen!: Date;
}
