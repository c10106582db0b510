import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** A check whose findings on an asset, or whose incompleteness, do not fail jobs until a date, by a decision of an admin. */
@Entity({ name: 'accepted_checks' })
export class AcceptedCheck extends TenantRow {
  @PrimaryColumn({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @PrimaryColumn({ name: 'check_id', type: 'text' })
  checkId!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  /** Null if it covers findings. */
  @Column({ name: 'incomplete_until', type: 'timestamptz', precision: 3, nullable: true })
  incompleteUntil!: Date | null;

  /** The name of the person at the time of the decision. */
  @Column({ name: 'accepted_by', type: 'text' })
  acceptedBy!: string;

  /** Null after the user was erased. The decision stays in effect. */
  @Column({ name: 'accepted_by_id', type: 'int', nullable: true })
  acceptedById!: number | null;

  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3 })
  acceptedAt!: Date;
}
