import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { OutboundError } from '../outbound/outbound-errors';
import type { DeliveryState } from '../domain/vocabulary';

/** An entry of the feed for one webhook. Of the answer only the status is kept. */
@Entity({ name: 'webhook_deliveries' })
export class WebhookDelivery extends TenantRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'webhook_id', type: 'int' })
  webhookId!: number;

  /** The header `webhook-id`, the same in every attempt. */
  @Column({ name: 'message_id', type: 'uuid' })
  messageId!: string;

  /** In the feed; null for a test. */
  @Column({ type: 'bigint', nullable: true })
  position!: string | null;

  @Column({ type: 'text' })
  type!: string;

  /** The record of the entry: its kind and its id. Messages about one record are sent one after the other. */
  @Column({ type: 'text' })
  record!: string;

  @Column({ type: 'text', default: 'waiting' })
  state!: DeliveryState;

  @Column({ type: 'int', default: 0 })
  attempts!: number;

  @Column({ name: 'first_attempt', type: 'timestamptz', precision: 3, nullable: true })
  firstAttempt!: Date | null;

  /** During an attempt: when it counts as lost. Null when it has ended. */
  @Column({ name: 'next_attempt', type: 'timestamptz', precision: 3, nullable: true })
  nextAttempt!: Date | null;

  /** The HTTP status of the last attempt. */
  @Column({ name: 'status_code', type: 'int', nullable: true })
  statusCode!: number | null;

  /** Why the last attempt has no status. */
  @Column({ type: 'text', nullable: true })
  error!: OutboundError | 'entry_removed' | null;

  @Column({ type: 'int', nullable: true })
  ms!: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  created!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ended!: Date | null;
}
