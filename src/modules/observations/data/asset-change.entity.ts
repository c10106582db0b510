import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChangeKind } from '../domain/asset-change';

/** The table has a partition for each month of `seen`. */
@Entity({ name: 'asset_changes' })
export class AssetChangeRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_asset_changes' })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_asset_changes' })
  organizationId!: number;

  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'pk_asset_changes' })
  seen!: Date;

  @Column({ type: 'text' })
  kind!: ChangeKind;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'int', nullable: true })
  port!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  before!: Record<string, unknown> | null;

  @Column({ type: 'jsonb', nullable: true })
  after!: Record<string, unknown> | null;
}
