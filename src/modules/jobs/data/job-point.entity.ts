import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CheckResult } from '../../../engine';
import type { PointOutcome } from '../domain/active-result';

/** A point that a job has tested. */
@Entity({ name: 'job_points' })
export class JobPoint {
  @PrimaryColumn({ name: 'job_id', type: 'int', primaryKeyConstraintName: 'pk_job_points' })
  jobId!: number;

  @PrimaryColumn({ name: 'point_id', type: 'bigint', primaryKeyConstraintName: 'pk_job_points' })
  pointId!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_job_points' })
  organizationId!: number;

  @Column({ type: 'json' })
  outcomes!: readonly PointOutcome[];

  /** In full until the job ends, those that say more than that a check found nothing. */
  @Column({ type: 'json', nullable: true })
  results!: readonly CheckResult[] | null;
}
