import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** A named query of the list of findings, of one user. */
@Entity({ name: 'saved_views' })
export class SavedView extends NumberedRow {
  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** A query string with the filters and the order. */
  @Column({ type: 'text' })
  query!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
