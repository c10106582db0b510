import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** A technology that was detected on an asset. */
@Entity({ name: 'asset_technologies' })
export class AssetTechnology extends NumberedRow {
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
