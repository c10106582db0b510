import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A check that an admin accepts until a date on all assets of the organization, or on those with a label. */
@Entity({ name: 'accepted_checks_on_many' })
export class AcceptedCheckOnMany extends TenantRow {
  @PrimaryColumn({ name: 'check_id', type: 'text' })
  checkId!: string;

  /** Empty for all assets. */
  @PrimaryColumn({ type: 'text' })
  label!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'text' })
  covers!: 'findings' | 'incompleteness';

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  /** The critical findings that it covers. It covers no others. */
  @Column({ name: 'critical_findings', type: 'int', array: true })
  criticalFindings!: number[];

  /** The name of the person at the time of the decision. */
  @Column({ name: 'accepted_by', type: 'text' })
  acceptedBy!: string;

  /** Null after the user was erased. The decision stays in effect. */
  @Column({ name: 'accepted_by_id', type: 'int', nullable: true })
  acceptedById!: number | null;

  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3 })
  acceptedAt!: Date;
}
