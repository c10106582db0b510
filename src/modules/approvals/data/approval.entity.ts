import { Column, Entity } from 'typeorm';
import type { ProposedChange } from '../../../platform/api/caller';
import { NumberedRow } from '../../../platform/database/tenant-row';

export const APPROVAL_STATUSES = ['pending', 'confirmed', 'rejected', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** `error`: why it was not made although it was confirmed; null if it was made. */
export type StoredChange = Omit<ProposedChange, 'organizationId'> & { readonly error?: string | null };

/** Changes that somebody proposed together, and what a second admin decided about them. */
@Entity({ name: 'approvals' })
export class ApprovalRow extends NumberedRow {
  @Column({ type: 'text', default: 'pending' })
  status!: ApprovalStatus;

  @Column({ type: 'jsonb' })
  changes!: StoredChange[];

  /** Of the changes. The same proposal waits once. */
  @Column({ type: 'text' })
  digest!: string;

  @Column({ name: 'proposed_by', type: 'int' })
  proposedBy!: number;

  @Column({ name: 'proposed_at', type: 'timestamptz', precision: 3 })
  proposedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;

  /** Null while it is pending, and after it expired. */
  @Column({ name: 'decided_by', type: 'int', nullable: true })
  decidedBy!: number | null;

  @Column({ name: 'decided_at', type: 'timestamptz', precision: 3, nullable: true })
  decidedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;
}

export type Approval = Pick<ApprovalRow, keyof ApprovalRow>;
