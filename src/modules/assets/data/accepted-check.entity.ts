import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A check whose findings on an asset do not fail jobs until a date, by a decision of an admin. */
@Entity({ name: 'accepted_checks' })
export class AcceptedCheck {
  @PrimaryColumn({ name: 'asset_id', type: 'int', primaryKeyConstraintName: 'pk_accepted_checks' })
  assetId!: number;

  @PrimaryColumn({ name: 'check_id', type: 'text', primaryKeyConstraintName: 'pk_accepted_checks' })
  checkId!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_accepted_checks' })
  organizationId!: number;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  /** The name of the person who decided. It stays when the user is renamed or deleted, because the decision stays in effect. */
  @Column({ name: 'accepted_by', type: 'text' })
  acceptedBy!: string;

  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3 })
  acceptedAt!: Date;
}
