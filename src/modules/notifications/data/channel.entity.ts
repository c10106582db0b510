import { Column, Entity } from 'typeorm';
import { Destination } from '../../feed';
import type { ChannelKind, ChannelPause, Digest } from '../domain/channel-vocabulary';

/** Slack, Teams or mail to which the changes of an organization are sent. */
@Entity({ name: 'channels' })
export class Channel extends Destination {
  declare pauseReason: ChannelPause | null;

  @Column({ type: 'text' })
  kind!: ChannelKind;

  /** The URL, which SECRET_KEY encrypts, because it is a credential. Null for mail. */
  @Column({ type: 'bytea', nullable: true })
  sealed!: Buffer | null;

  /** Ids of members, for mail. */
  @Column({ type: 'int', array: true, default: '{}' })
  recipients!: number[];

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

  @Column({ name: 'last_sent', type: 'timestamptz', precision: 3, nullable: true })
  lastSent!: Date | null;

  /** Why the last attempt failed; null if it did not. */
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;
}
