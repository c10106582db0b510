import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { Obstacle, RunStatus } from '../domain/vocabulary';

@Entity({ name: 'schedule_runs' })
export class ScheduleRunRow extends NumberedRow {
  @Column({ type: 'uuid' })
  uuid!: string;

  @Column({ name: 'schedule_id', type: 'int' })
  scheduleId!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  due!: Date;

  @Column({ type: 'text', default: 'waiting' })
  status!: RunStatus;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ended!: Date | null;

  /** When a worker looks after it again, until it has ended. */
  @Column({ name: 'next_step', type: 'timestamptz', precision: 3, nullable: true })
  nextStep!: Date | null;

  @Column({ type: 'int', default: 0 })
  parts!: number;

  @Column({ type: 'jsonb', default: '{}' })
  results!: Readonly<Record<string, number>>;

  @Column({ type: 'jsonb', default: '[]' })
  obstacles!: readonly Obstacle[];

  /** Why it was skipped or failed as a whole, and what to do. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;
}

export type ScheduleRun = Omit<ScheduleRunRow, 'nextStep'>;
