import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { ReportContents } from '../domain/report-comparison';
import type { ReportOptions } from '../domain/report-options';

@Entity({ name: 'reports' })
export class ReportRow extends NumberedRow {
  /** Null for a report of a job or of the organization. */
  @Column({ name: 'event_id', type: 'int', nullable: true })
  eventId!: number | null;

  @Column({ name: 'job_uuid', type: 'uuid', nullable: true })
  jobUuid!: string | null;

  @Column({ type: 'jsonb' })
  options!: ReportOptions;

  @Column({ name: 'start_date', type: 'timestamptz', precision: 3 })
  startDate!: Date;

  @Column({ name: 'end_date', type: 'timestamptz', precision: 3 })
  endDate!: Date;

  @Column({ name: 'generation_date', type: 'timestamptz', precision: 3, nullable: true })
  generationDate!: Date | null;

  /** The generated file; null until then. */
  @Column({ name: 'file_id', type: 'int', nullable: true })
  fileId!: number | null;

  /** The reason why the report could not be generated. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** What the generated file lacks, and how to add it. */
  @Column({ type: 'text', nullable: true })
  notice!: string | null;

  /** What the generated file has; null until then, and for reports of versions that did not store it. */
  @Column({ type: 'jsonb', nullable: true })
  contents!: ReportContents | null;

  /** The user who waits for it; null for schedules and the service itself. */
  @Column({ name: 'started_by', type: 'int', nullable: true })
  startedBy!: number | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

/** Without its contents, whose length grows with the number of findings. */
export type Report = Omit<ReportRow, 'contents'>;
