import { Column, Entity, PrimaryColumn } from 'typeorm';
import { FeedFacts } from './feed-facts';

/** A change without a position yet. Only triggers write them. */
@Entity({ name: 'feed_outbox' })
export class FeedChange extends FeedFacts {
  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: string;

  @Column({ name: 'finding_id', type: 'int', nullable: true })
  findingId!: number | null;
}
