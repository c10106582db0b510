import { Column, Entity } from 'typeorm';
import type { LeftOut } from '../../../engine';
import { FoundOnOrigin } from './found-on-origin';

/** A page that active jobs have found on an origin. */
@Entity({ name: 'active_pages' })
export class ActivePage extends FoundOnOrigin {
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
}
