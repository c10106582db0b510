import { Column, Entity } from 'typeorm';
import type { InsertionPoint } from '../../../engine';
import { FoundOnOrigin } from './found-on-origin';

/** An insertion point that active jobs have found on an origin. */
@Entity({ name: 'active_points' })
export class ActivePoint extends FoundOnOrigin {
  @Column({ type: 'json' })
  point!: InsertionPoint;

  /** By any job; null before the first. */
  @Column({ name: 'tested_at', type: 'timestamptz', precision: 3, nullable: true })
  testedAt!: Date | null;
}
