import { Column, Entity } from 'typeorm';
import { Destination } from '../../feed';
import type { PauseReason, Signature } from '../domain/vocabulary';

@Entity({ name: 'webhooks' })
export class Webhook extends Destination {
  declare pauseReason: PauseReason | null;

  @Column({ type: 'text' })
  url!: string;

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

  @Column({ type: 'int', default: 0 })
  misses!: number;

  @Column({ name: 'resume_at', type: 'timestamptz', precision: 3, nullable: true })
  resumeAt!: Date | null;
}
