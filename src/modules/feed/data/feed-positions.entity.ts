import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The positions of an organization that are kept. */
@Entity({ name: 'feed_positions' })
export class FeedPositions {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_feed_positions' })
  organizationId!: number;

  @Column({ type: 'bigint' })
  oldest!: string;

  @Column({ type: 'bigint' })
  newest!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  appended!: Date;
}
