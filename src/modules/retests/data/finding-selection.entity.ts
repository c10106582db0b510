import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { SelectionOutcome, SelectionStatus } from '../domain/selection';
import type { BulkAction } from '../finding-bulk.service';

/** All findings of a filter, and what a user does with them. */
@Entity({ name: 'finding_selections' })
export class FindingSelectionRow extends NumberedRow {
  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'jsonb' })
  action!: BulkAction;

  @Column({ type: 'text', default: 'ready' })
  status!: SelectionStatus;

  @Column({ type: 'int' })
  findings!: number;

  @Column({ name: 'dry_run', type: 'jsonb' })
  dryRun!: readonly SelectionOutcome[];

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  /** The end of the run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finished!: Date | null;
}

export type StoredSelection = Pick<FindingSelectionRow, keyof FindingSelectionRow>;
