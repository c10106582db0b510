import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** The positions of an organization that are kept. */
@Entity({ name: 'feed_positions' })
export class FeedPositions extends TenantRow {
  @Column({ type: 'bigint' })
  oldest!: string;

  @Column({ type: 'bigint' })
  newest!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  appended!: Date;
}
