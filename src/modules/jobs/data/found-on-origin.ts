import { Column, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** What active jobs have found on an origin. */
export abstract class FoundOnOrigin extends TenantRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ type: 'text' })
  origin!: string;

  /** The account whose run found it; null without a session. It is a part of the key too. */
  @Column({ name: 'account_id', type: 'int', nullable: true })
  accountId!: number | null;

  /** A digest of its path, or of the key of its point. */
  @Column({ type: 'text' })
  key!: string;

  /** When a job last saw it. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seen!: Date;
}
