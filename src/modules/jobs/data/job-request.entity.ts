import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of the list of requests of an active job. */
@Entity({ name: 'job_requests' })
export class JobRequestsPart {
  @PrimaryColumn({ name: 'job_id', type: 'int', primaryKeyConstraintName: 'pk_job_requests' })
  jobId!: number;

  @PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'pk_job_requests' })
  part!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_job_requests' })
  organizationId!: number;

  @Column({ type: 'text' })
  lines!: string;

  /** How many were sent, also where the list has become too long. */
  @Column({ type: 'int' })
  requests!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
