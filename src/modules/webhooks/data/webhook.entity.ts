import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Severity } from '../../../kernel/severity';
import type { PauseReason, Signature, WebhookState } from '../domain/vocabulary';

@Entity({ name: 'webhooks' })
export class Webhook {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT', primaryKeyConstraintName: 'pk_webhooks' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_webhooks' })
  organizationId!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  url!: string;

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

  @Column({ type: 'text' })
  signature!: Signature;

  /** The secrets, which SECRET_KEY encrypts. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ name: 'public_key', type: 'text', nullable: true })
  publicKey!: string | null;

  /** Until when messages are also signed with the secret before. */
  @Column({ name: 'previous_until', type: 'timestamptz', precision: 3, nullable: true })
  previousUntil!: Date | null;

  @Column({ type: 'text', default: 'active' })
  state!: WebhookState;

  /** Null while it is active. */
  @Column({ name: 'pause_reason', type: 'text', nullable: true })
  pauseReason!: PauseReason | null;

  /** The position in the feed up to which entries have become deliveries. */
  @Column({ type: 'bigint' })
  cursor!: string;

  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'int', default: 0 })
  misses!: number;

  @Column({ name: 'resume_at', type: 'timestamptz', precision: 3, nullable: true })
  resumeAt!: Date | null;

  /** Who saved it last. Without that user as an admin nothing is sent. */
  @Column({ name: 'maker_id', type: 'int' })
  makerId!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
