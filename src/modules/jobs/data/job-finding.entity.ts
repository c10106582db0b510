import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a job showed of a finding; `gone` means that the fix is confirmed. */
export type JobFindingOutcome = 'seen' | 'gone';

@Entity({ name: 'job_findings' })
export class JobFinding {
  @PrimaryColumn({ name: 'job_id', type: 'int', primaryKeyConstraintName: 'pk_job_findings' })
  jobId!: number;

  @PrimaryColumn({ name: 'finding_id', type: 'int', primaryKeyConstraintName: 'pk_job_findings' })
  findingId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_job_findings' })
  organizationId!: number;

  @Column({ type: 'text' })
  outcome!: JobFindingOutcome;

  /** As found by the job; null where the job confirmed the fix. */
  @Column({ type: 'int', nullable: true })
  severity!: number | null;
}
