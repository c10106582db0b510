import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of findings on an asset, and of the open ones in each severity that counts for the risk score. */
@Entity({ name: 'asset_totals' })
export class AssetTotalsRow {
  @PrimaryColumn({ name: 'asset_id', type: 'int', primaryKeyConstraintName: 'pk_asset_totals' })
  assetId!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_asset_totals' })
  organizationId!: number;

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
}
