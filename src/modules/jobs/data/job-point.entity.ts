import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { CheckResult } from '../../../engine';
import type { PointOutcome } from '../domain/active-result';

/** A point that a job has tested. */
@Entity({ name: 'job_points' })
export class JobPoint extends TenantRow {
  @PrimaryColumn({ name: 'job_id', type: 'int' })
  jobId!: number;

  @PrimaryColumn({ name: 'point_id', type: 'bigint' })
  pointId!: string;

  @Column({ type: 'json' })
  outcomes!: readonly PointOutcome[];

  /** In full until the job ends, those that say more than that a check found nothing. */
  @Column({ type: 'json', nullable: true })
  results!: readonly CheckResult[] | null;
}
