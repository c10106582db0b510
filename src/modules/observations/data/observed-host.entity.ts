import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

@Entity({ name: 'observed_hosts' })
export class ObservedHostRow extends NumberedRow {
  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @Column({ type: 'text' })
  address!: string;

  @Column({ name: 'gone', type: 'boolean', default: false })
  isGone!: boolean;

  /** How many looks in a row did not show it. */
  @Column({ type: 'int', default: 0 })
  misses!: number;

  @Column({ name: 'first_seen', type: 'timestamptz', precision: 3 })
  firstSeen!: Date;

  @Column({ name: 'last_seen', type: 'timestamptz', precision: 3 })
  lastSeen!: Date;
}
