import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** An entry of the feed that a channel will send. Removed when it was sent. */
@Entity({ name: 'channel_messages' })
export class ChannelMessage extends TenantRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'channel_id', type: 'int' })
  channelId!: number;

  /** In the feed; null for a test. */
  @Column({ type: 'bigint', nullable: true })
  position!: string | null;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'record_id', type: 'text' })
  recordId!: string;

  @Column({ type: 'jsonb' })
  data!: Record<string, unknown>;

  @Column({ type: 'timestamptz', precision: 3 })
  created!: Date;

  /** When a worker took it to send it by mail. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  taken!: Date | null;
}
