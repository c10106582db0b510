import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A technology that was detected on an asset. */
@Entity({ name: 'asset_technologies' })
export class AssetTechnology {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_asset_technologies',
  })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_asset_technologies' })
  organizationId!: number;

  @Column({ name: 'asset_id', type: 'int' })
  assetId!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: '' })
  vendor!: string;

  @Column({ type: 'text', default: '' })
  version!: string;

  @Column({ type: 'text', default: '' })
  os!: string;

  /** A CPE 2.3 formatted string. */
  @Column({ type: 'text', default: '' })
  cpe!: string;

  /** Which response showed it, in words. */
  @Column({ type: 'text', default: '' })
  source!: string;
}
