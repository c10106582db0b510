import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { Role } from '../../../kernel/role';
import type { TestDepth } from '../../../kernel/test-depth';
import type { ReportOptions } from '../../reports';
import type { ScheduleStatus, TargetKind, What } from '../domain/vocabulary';

@Entity({ name: 'schedules' })
export class Schedule extends NumberedRow {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  what!: What;

  @Column({ type: 'text' })
  target!: TargetKind;

  @Column({ name: 'asset_id', type: 'int', nullable: true })
  assetId!: number | null;

  @Column({ type: 'text', nullable: true })
  label!: string | null;

  @Column({ name: 'event_id', type: 'int', nullable: true })
  eventId!: number | null;

  /** A copy, which stays when the event is deleted. */
  @Column({ name: 'event_slug', type: 'text', nullable: true })
  eventSlug!: string | null;

  @Column({ type: 'text', array: true, nullable: true })
  checks!: string[] | null;

  /** Of its jobs; null for standard. */
  @Column({ type: 'text', nullable: true })
  depth!: TestDepth | null;

  /** As which its jobs run, too. */
  @Column({ type: 'int', array: true, nullable: true })
  accounts!: number[] | null;

  /** How many days after their fix findings are retested. */
  @Column({ name: 'resolved_days', type: 'int', nullable: true })
  resolvedDays!: number | null;

  @Column({ name: 'report_options', type: 'jsonb', nullable: true })
  reportOptions!: ReportOptions | null;

  @Column({ type: 'text', nullable: true })
  cron!: string | null;

  @Column({ name: 'time_zone', type: 'text', nullable: true })
  timeZone!: string | null;

  @Column({ name: 'every_hours', type: 'int', nullable: true })
  everyHours!: number | null;

  @Column({ name: 'jitter_minutes', type: 'int', default: 0 })
  jitterMinutes!: number;

  @Column({ type: 'text', array: true, default: '{}' })
  windows!: string[];

  /** From which the hours of `everyHours` count. */
  @Column({ type: 'timestamptz', precision: 3 })
  anchor!: Date;

  @Column({ type: 'text', default: 'active' })
  status!: ScheduleStatus;

  /** Who saved or confirmed it last, in whose name it runs. */
  @Column({ name: 'maker_id', type: 'int' })
  makerId!: number;

  /** The maker's role then. */
  @Column({ name: 'maker_role', type: 'text' })
  makerRole!: Role;

  /** Until when an admin must confirm it, because its maker has left. */
  @Column({ name: 'confirm_by', type: 'timestamptz', precision: 3, nullable: true })
  confirmBy!: Date | null;

  /** Null while it is paused. */
  @Column({ name: 'next_due', type: 'timestamptz', precision: 3, nullable: true })
  nextDue!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
