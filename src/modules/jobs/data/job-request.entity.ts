import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A part of the list of requests of an active job. */
@Entity({ name: 'job_requests' })
export class JobRequestsPart extends TenantRow {
  @PrimaryColumn({ name: 'job_id', type: 'int' })
  jobId!: number;

  @PrimaryColumn({ type: 'int' })
  part!: number;

  @Column({ type: 'text' })
  lines!: string;

  /** How many were sent, also where the list has become too long. */
  @Column({ type: 'int' })
  requests!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
