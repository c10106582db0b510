import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** How a user wants to see the findings of an organization, and when the user last opened its home page. */
@Entity({ name: 'finding_preferences' })
export class FindingPreferences extends TenantRow {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  /** The names of the shown columns; null for the default columns. */
  @Column({ type: 'text', array: true, nullable: true })
  columns!: string[] | null;

  @Column({ name: 'is_compact', type: 'boolean', default: false })
  isCompact!: boolean;

  /** When the home page was last opened. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  visited!: Date | null;

  /** When the home page was last opened before this visit. A visit ends after half an hour without a request. */
  @Column({ name: 'visited_before', type: 'timestamptz', precision: 3, nullable: true })
  visitedBefore!: Date | null;
}

export type ListPreferences = Pick<FindingPreferences, 'columns' | 'isCompact'>;
