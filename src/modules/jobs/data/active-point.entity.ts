import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { InsertionPoint } from '../../../engine';

/** An insertion point that active jobs have found on an origin. */
@Entity({ name: 'active_points' })
export class ActivePoint {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_active_points',
  })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_active_points' })
  organizationId!: number;

  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ type: 'text' })
  origin!: string;

  /** A digest of the key of the point. */
  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'json' })
  point!: InsertionPoint;

  /** By a job, the last time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seen!: Date;

  /** By any job; null before the first. */
  @Column({ name: 'tested_at', type: 'timestamptz', precision: 3, nullable: true })
  testedAt!: Date | null;
}
