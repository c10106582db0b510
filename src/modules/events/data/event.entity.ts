import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { Role } from '../../../kernel/role';
import type { TestDepth } from '../../../kernel/test-depth';
import type { EventStatus } from '../domain/event-status';
import type { Dimension, EventCategory, EventType } from '../domain/event-vocabulary';

@Entity({ name: 'events' })
export class Event extends NumberedRow {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  slug!: string;

  @Column({ name: 'event_type', type: 'int' })
  eventType!: EventType;

  @Column({ name: 'event_category', type: 'int' })
  eventCategory!: EventCategory;

  @Column({ type: 'text' })
  status!: EventStatus;

  @Column({ type: 'text', nullable: true })
  dimension!: Dimension | null;

  @Column({ name: 'dimension_type', type: 'text', nullable: true })
  dimensionType!: string | null;

  @Column({ type: 'double precision', nullable: true })
  latitude!: number | null;

  @Column({ type: 'double precision', nullable: true })
  longitude!: number | null;

  /** The path of its picture in the API. */
  @Column({ type: 'text', nullable: true })
  picture!: string | null;

  /** Whether `fixed` of its retests is looked at again; null for the default of its type. */
  @Column({ name: 'second_look', type: 'boolean', nullable: true })
  secondLook!: boolean | null;

  /** Whether a machine event tests its scope by itself. Null for human events, and those from before it existed. */
  @Column({ type: 'boolean', nullable: true })
  automatic!: boolean | null;

  @Column({ name: 'every_hours', type: 'int', nullable: true })
  everyHours!: number | null;

  @Column({ type: 'text', array: true, nullable: true })
  windows!: readonly string[] | null;

  @Column({ name: 'requests_per_second', type: 'double precision', nullable: true })
  requestsPerSecond!: number | null;

  @Column({ name: 'parallel_targets', type: 'int', nullable: true })
  parallelTargets!: number | null;

  /** Null for standard. */
  @Column({ type: 'text', nullable: true })
  depth!: TestDepth | null;

  /** As which its jobs run, too. */
  @Column({ type: 'int', array: true, nullable: true })
  accounts!: readonly number[] | null;

  /** That of the admin who has named them. */
  @Column({ name: 'accounts_role', type: 'text', nullable: true })
  accountsRole!: Role | null;

  @Column({ name: 'report_at_end', type: 'boolean', nullable: true })
  reportAtEnd!: boolean | null;

  /** The user who has created it; null for events from before this was kept. */
  @Column({ name: 'started_by', type: 'int', nullable: true })
  startedBy!: number | null;

  @Column({ name: 'start_date', type: 'timestamptz', precision: 3 })
  startDate!: Date;

  @Column({ name: 'end_date', type: 'timestamptz', precision: 3 })
  endDate!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
