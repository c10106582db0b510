import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that waits for the answer of a provider. */
@Entity({ name: 'provider_sign_ins' })
export class ProviderSignIn {
  /** The state itself is only in the address that the browser was sent to. */
  @PrimaryColumn({ name: 'state_hash', type: 'bytea' })
  stateHash!: Buffer;

  /** Of the cookie, so that no other browser completes it. */
  @Column({ name: 'browser_hash', type: 'bytea' })
  browserHash!: Buffer;

  /** Null for the provider of the installation. */
  @Column({ name: 'organization_id', type: 'int', nullable: true })
  organizationId!: number | null;

  @Column({ type: 'text' })
  verifier!: string;

  @Column({ type: 'text' })
  nonce!: string;

  /** The session whose user links the provider; null for a sign-in. */
  @Column({ name: 'session_id', type: 'int', nullable: true })
  sessionId!: number | null;

  @Column({ type: 'text' })
  next!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
