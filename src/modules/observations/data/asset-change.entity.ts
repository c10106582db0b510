import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { ChangeKind } from '../domain/asset-change';

/** The table has a partition for each month of `seen`. */
@Entity({ name: 'asset_changes' })
export class AssetChangeRow extends TenantRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
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
