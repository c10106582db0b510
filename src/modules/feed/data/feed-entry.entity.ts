import { Entity, PrimaryColumn } from 'typeorm';
import { FeedFacts } from './feed-facts';

/** The table has a partition for each week of `appended`. */
@Entity({ name: 'feed_entries' })
export class FeedEntry extends FeedFacts {
  /** Without gaps within an organization. */
  @PrimaryColumn({ type: 'bigint' })
  position!: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  appended!: Date;
}
