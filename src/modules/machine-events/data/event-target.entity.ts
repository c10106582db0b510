import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { TargetState } from '../domain/target-state';

/** An asset that is observed, or a page that a job tests. */
@Entity({ name: 'event_targets' })
export class EventTarget extends NumberedRow {
  @Column({ name: 'event_id', type: 'int' })
  eventId!: number;

  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  /** The page; null for the asset itself. */
  @Column({ type: 'text', nullable: true })
  origin!: string | null;

  @Column({ type: 'text', default: 'waiting' })
  state!: TargetState;

  /** Why it is not testable, and what to do. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3, nullable: true })
  dueAt!: Date | null;

  @Column({ name: 'last_run', type: 'timestamptz', precision: 3, nullable: true })
  lastRun!: Date | null;

  @Column({ type: 'int', default: 0 })
  runs!: number;

  /** Without a result since the last run. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  /** The observation or job that runs. */
  @Column({ type: 'uuid', nullable: true })
  work!: string | null;

  /** Those that the end of a window has stopped; null for all. */
  @Column({ name: 'checks_left', type: 'text', array: true, nullable: true })
  checksLeft!: readonly string[] | null;
}
