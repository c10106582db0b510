import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change without a position yet. Only triggers write them. */
@Entity({ name: 'feed_outbox' })
export class FeedChange {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', primaryKeyConstraintName: 'pk_feed_outbox' })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_feed_outbox' })
  organizationId!: number;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'int' })
  version!: number;

  @Column({ name: 'record_id', type: 'text' })
  recordId!: string;

  @Column({ name: 'finding_id', type: 'int', nullable: true })
  findingId!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;
}
