import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Severity } from '../../../kernel/severity';
import type { ChannelKind, ChannelPause, ChannelState, Digest } from '../domain/channel-vocabulary';

/** Where the changes of an organization are told. */
@Entity({ name: 'channels' })
export class Channel {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT', primaryKeyConstraintName: 'pk_channels' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_channels' })
  organizationId!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  kind!: ChannelKind;

  /** The URL, which SECRET_KEY encrypts, because it is a credential. Null for mail. */
  @Column({ type: 'bytea', nullable: true })
  sealed!: Buffer | null;

  /** Ids of members, for mail. */
  @Column({ type: 'int', array: true, default: '{}' })
  recipients!: number[];

  @Column({ type: 'text', array: true, default: '{}' })
  types!: string[];

  @Column({ type: 'text', nullable: true })
  severity!: Severity | null;

  @Column({ type: 'text', array: true, default: '{}' })
  statuses!: string[];

  @Column({ name: 'event_ids', type: 'int', array: true, default: '{}' })
  eventIds!: number[];

  @Column({ type: 'text', array: true, default: '{}' })
  labels!: string[];

  @Column({ type: 'boolean', default: false })
  confirmed!: boolean;

  /** Windows in which nothing is sent. */
  @Column({ type: 'text', array: true, default: '{}' })
  quiet!: string[];

  @Column({ type: 'text', default: 'off' })
  digest!: Digest;

  @Column({ name: 'digest_hour', type: 'int', default: 9 })
  digestHour!: number;

  @Column({ name: 'time_zone', type: 'text', default: 'UTC' })
  timeZone!: string;

  @Column({ name: 'hourly_limit', type: 'int', default: 20 })
  hourlyLimit!: number;

  @Column({ type: 'text', default: 'active' })
  state!: ChannelState;

  /** Null while it is active. */
  @Column({ name: 'pause_reason', type: 'text', nullable: true })
  pauseReason!: ChannelPause | null;

  /** The position in the feed up to which entries were taken. */
  @Column({ type: 'bigint' })
  cursor!: string;

  @Column({ name: 'hour_started', type: 'timestamptz', precision: 3, nullable: true })
  hourStarted!: Date | null;

  @Column({ name: 'hour_sent', type: 'int', default: 0 })
  hourSent!: number;

  /** Of the message that waits. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  /** Nothing is sent before. */
  @Column({ name: 'next_attempt', type: 'timestamptz', precision: 3, nullable: true })
  nextAttempt!: Date | null;

  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  @Column({ name: 'last_sent', type: 'timestamptz', precision: 3, nullable: true })
  lastSent!: Date | null;

  /** Why the last attempt failed; null if it did not. */
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  /** Who saved it last. Without that user as an admin nothing is sent. */
  @Column({ name: 'maker_id', type: 'int' })
  makerId!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
