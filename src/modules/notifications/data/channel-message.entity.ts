import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** An entry of the feed that a channel will tell. Removed when it was sent. */
@Entity({ name: 'channel_messages' })
export class ChannelMessage {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_channel_messages',
  })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_channel_messages' })
  organizationId!: number;

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
