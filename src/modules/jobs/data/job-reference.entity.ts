import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { RecordedFinding } from '../domain/job-reference';

/** What pipelines with `fail_on=new` compare with. Admins create it, and jobs of the keys that it names fill it. */
@Entity({ name: 'job_references' })
export class JobReferenceRow extends TenantRow {
  @PrimaryColumn({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ name: 'access_keys', type: 'text', array: true })
  accessKeys!: string[];

  /** The recorded job, which may be deleted since. Null until one is recorded. */
  @Column({ name: 'job_uuid', type: 'uuid', nullable: true })
  jobUuid!: string | null;

  /** When the recorded job ended. */
  @Column({ name: 'tested_at', type: 'timestamptz', precision: 3, nullable: true })
  testedAt!: Date | null;

  @Column({ name: 'recorded_at', type: 'timestamptz', precision: 3, nullable: true })
  recordedAt!: Date | null;

  /** The access key that recorded it. */
  @Column({ name: 'recorded_by', type: 'text', nullable: true })
  recordedBy!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  findings!: readonly RecordedFinding[] | null;
}

/** Without what only the gate reads. */
export const UNREAD = ['findings'] as const satisfies readonly (keyof JobReferenceRow)[];

export type JobReference = Omit<JobReferenceRow, (typeof UNREAD)[number]>;
