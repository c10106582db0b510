import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** What a job has submitted to one address. */
@Entity({ name: 'job_submissions' })
export class JobSubmission extends TenantRow {
  @PrimaryColumn({ name: 'job_id', type: 'int' })
  jobId!: number;

  /** A digest of method and path. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  method!: string;

  @Column({ type: 'text' })
  path!: string;

  /** In the values that were entered; null if there was no place for it. */
  @Column({ type: 'text', nullable: true })
  mark!: string | null;

  @Column({ type: 'int' })
  submissions!: number;

  /** Pages that show the mark. */
  @Column({ name: 'shown_at', type: 'json' })
  shownAt!: readonly string[];

  /** Addresses of what was created and is still there. */
  @Column({ name: 'remaining', type: 'json' })
  left!: readonly string[];

  @Column({ type: 'int' })
  deleted!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  updated!: Date;
}
