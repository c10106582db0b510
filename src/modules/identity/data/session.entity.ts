import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A user who is signed in to the portal with one browser. */
@Entity({ name: 'sessions' })
export class Session {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  /** The token itself is only in the cookie. */
  @Column({ name: 'token_hash', type: 'bytea', unique: true })
  tokenHash!: Buffer;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  /** Whether it was opened by the user's own means, and not only by a provider. */
  @Column({ name: 'is_own', type: 'boolean', default: true })
  isOwn!: boolean;

  @Column({ type: 'text', nullable: true })
  ip!: string | null;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  @Column({ name: 'last_used', type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastUsed!: Date;

  /** The user has shown a passkey since the sign-in or for it. */
  @Column({ name: 'has_used_passkey', type: 'boolean', default: false })
  hasUsedPasskey!: boolean;
}
