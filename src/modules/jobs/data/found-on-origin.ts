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

  /** As whom it was found; null for nobody. The key has it too. */
  @Column({ name: 'account_id', type: 'int', nullable: true })
  accountId!: number | null;

  /** A digest of its path, or of the key of its point. */
  @Column({ type: 'text' })
  key!: string;

  /** By a job, the last time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seen!: Date;
}
