import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { KeyScope } from '../../../platform/api/caller';
import type { KeyUses } from '../domain/key-use';

@Entity({ name: 'api_keys' })
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ name: 'access_key', type: 'text', unique: true })
  accessKey!: string;

  @Column({ name: 'secret_hash', type: 'bytea' })
  secretHash!: Buffer;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', array: true })
  scopes!: KeyScope[];

  @Column({ name: 'organization_id', type: 'int', nullable: true })
  organizationId!: number | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires!: Date | null;

  @Column({ name: 'last_used', type: 'timestamptz', precision: 3, nullable: true })
  lastUsed!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoked!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  /** The browser or program that created it; null for the operator. */
  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent!: string | null;

  /** The key that created this one; null if a signed-in user or the operator did. */
  @Column({ name: 'parent_id', type: 'int', nullable: true })
  parentId!: number | null;

  /** The identity at a provider that it ends with; null if it was made without one. */
  @Column({ name: 'identity_id', type: 'int', nullable: true })
  identityId!: number | null;

  /** Of the secret before the last rotation, which is valid until `previousSecretUntil`. */
  @Column({ name: 'previous_secret_hash', type: 'bytea', nullable: true })
  previousSecretHash!: Buffer | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretUntil!: Date | null;

  /** The last time of each kind of request, to the hour. */
  @Column({ type: 'jsonb', default: {} })
  uses!: KeyUses;
}
