import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** How a user wants to see the findings of an organization, and when the user saw its home. */
@Entity({ name: 'finding_preferences' })
export class FindingPreferences extends TenantRow {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  /** The names of the shown columns; null for those that the list begins with. */
  @Column({ type: 'text', array: true, nullable: true })
  columns!: string[] | null;

  @Column({ name: 'is_compact', type: 'boolean', default: false })
  isCompact!: boolean;

  /** When the home was last opened. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  visited!: Date | null;

  /** When it was opened last before this visit. A visit ends with half an hour without it. */
  @Column({ name: 'visited_before', type: 'timestamptz', precision: 3, nullable: true })
  visitedBefore!: Date | null;
}

export type ListPreferences = Pick<FindingPreferences, 'columns' | 'isCompact'>;
