import { Column } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** What the feed says of a change. */
export abstract class FeedFacts extends TenantRow {
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
