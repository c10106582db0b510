import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { FindingsOfDay } from '../domain/finding-overview';

/** The stored days of an event with many findings. */
@Entity({ name: 'event_days' })
export class StoredEventDays extends TenantRow {
  @PrimaryColumn({ name: 'event_id', type: 'int' })
  eventId!: number;

  /** The start of the event when they were computed. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  computed!: Date;

  /** The newest first. */
  @Column({ type: 'jsonb' })
  days!: readonly FindingsOfDay[];
}
