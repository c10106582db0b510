import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** What is known and decided about the observation of an asset. */
@Entity({ name: 'observed_assets' })
export class ObservedAssetRow extends TenantRow {
  @PrimaryColumn({ name: 'asset_id', type: 'int' })
  assetId!: number;

  /** The ports that an admin chose beside the usual ones. */
  @Column({ name: 'observe_ports', type: 'text', nullable: true })
  observePorts!: string | null;

  /** The ports of the last look. */
  @Column({ type: 'int', array: true, default: '{}' })
  watched!: number[];

  /** The addresses of a name in the last look. */
  @Column({ type: 'text', array: true, default: '{}' })
  addresses!: string[];

  /** All addresses that the DNS has of a name, also those that are not looked at. */
  @Column({ type: 'text', array: true, default: '{}' })
  records!: string[];

  /** Its chain of aliases, in their order. */
  @Column({ type: 'text', array: true, default: '{}' })
  aliases!: string[];

  /** Who runs the host, if someone else does. */
  @Column({ name: 'hosted_by', type: 'text', nullable: true })
  hostedBy!: string | null;

  @Column({ name: 'hosted_target', type: 'text', nullable: true })
  hostedTarget!: string | null;

  /** The target that an admin has confirmed as the organization's own. */
  @Column({ name: 'own_target', type: 'text', nullable: true })
  ownTarget!: string | null;

  /** The target whose operator permits wider tests. */
  @Column({ name: 'permitted_target', type: 'text', nullable: true })
  permittedTarget!: string | null;

  /** Why it is not observed, and what to do. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The end of the last look. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  observed!: Date | null;

  /** How many addresses of a block its current search has covered. */
  @Column({ name: 'block_position', type: 'int', default: 0 })
  blockPosition!: number;

  /** How many were searched on the day of the last search. */
  @Column({ name: 'block_searched', type: 'int', default: 0 })
  blockSearched!: number;

  @Column({ name: 'block_searched_at', type: 'timestamptz', precision: 3, nullable: true })
  blockSearchedAt!: Date | null;

  /** When all addresses of the block were last searched. */
  @Column({ name: 'block_completed', type: 'timestamptz', precision: 3, nullable: true })
  blockCompleted!: Date | null;
}
