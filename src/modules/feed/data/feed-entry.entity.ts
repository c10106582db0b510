import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The table has a partition for each week of `appended`. */
@Entity({ name: 'feed_entries' })
export class FeedEntry {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_feed_entries' })
  organizationId!: number;

  /** Without gaps within an organization. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_feed_entries' })
  position!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'pk_feed_entries' })
  appended!: Date;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'int' })
  version!: number;

  @Column({ name: 'record_id', type: 'text' })
  recordId!: string;

  /** When the record changed. */
  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;
}
