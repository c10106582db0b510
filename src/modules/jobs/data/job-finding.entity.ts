import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { Contradiction } from '../../retests';

/** `seen`: the job found it. `fixed`: the job confirmed the fix. */
export type JobFindingOutcome = 'seen' | 'fixed';

@Entity({ name: 'job_findings' })
export class JobFinding extends TenantRow {
  @PrimaryColumn({ name: 'job_id', type: 'int' })
  jobId!: number;

  @PrimaryColumn({ name: 'finding_id', type: 'int' })
  findingId!: number;

  @Column({ type: 'text' })
  outcome!: JobFindingOutcome;

  /** As the job found it; null where the job confirmed the fix. */
  @Column({ type: 'int', nullable: true })
  severity!: number | null;

  /** The account whose run saw it first; null without a session. */
  @Column({ name: 'account_id', type: 'int', nullable: true })
  accountId!: number | null;

  /** When the deciding response arrived. */
  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3, nullable: true })
  seenAt!: Date | null;

  /** The YAML of the check that showed it, empty for a built-in check. Null for those of earlier versions. */
  @Column({ name: 'template_digest', type: 'bytea', nullable: true })
  templateDigest!: Buffer | null;

  /** If the finding stays resolved although the job has seen it, and no test has shown since that it is fixed. */
  @Column({ type: 'text', nullable: true })
  contradiction!: Contradiction | null;
}

/** What a job has shown of a finding, and the YAML of the check that showed it; null for a built-in check. */
export type ShownByJob = Omit<JobFinding, 'templateDigest' | 'accountId'> &
  Partial<Pick<JobFinding, 'accountId'>> & { readonly template: string | null };
