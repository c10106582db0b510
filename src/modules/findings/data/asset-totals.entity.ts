import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** The number of findings on an asset, and of the open ones in each severity that counts for the risk score, with the sums of their weights in it. */
@Entity({ name: 'asset_totals' })
export class AssetTotalsRow extends TenantRow {
  @PrimaryColumn({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @Column({ type: 'int', default: 0 })
  findings!: number;

  @Column({ type: 'int', default: 0 })
  cosmic!: number;

  @Column({ type: 'int', default: 0 })
  critical!: number;

  @Column({ type: 'int', default: 0 })
  high!: number;

  @Column({ type: 'int', default: 0 })
  medium!: number;

  @Column({ type: 'int', default: 0 })
  low!: number;

  /** The sum for findings that a check has shown. */
  @Column({ type: 'int', default: 0 })
  proved!: number;

  /** The sum for findings that a check has refuted. */
  @Column({ type: 'int', default: 0 })
  refuted!: number;
}
