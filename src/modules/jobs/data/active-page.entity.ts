import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { LeftOut } from '../../../engine';

/** A page that active jobs have found on an origin. */
@Entity({ name: 'active_pages' })
export class ActivePage {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_active_pages',
  })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_active_pages' })
  organizationId!: number;

  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ type: 'text' })
  origin!: string;

  /** A digest of the path. */
  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  shape!: string;

  @Column({ type: 'text' })
  path!: string;

  @Column({ type: 'int', nullable: true })
  status!: number | null;

  @Column({ type: 'text' })
  source!: string;

  /** Null for one that may be requested. */
  @Column({ name: 'left_out', type: 'json', nullable: true })
  leftOut!: LeftOut | null;

  /** By a job, the last time. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  seen!: Date;
}
