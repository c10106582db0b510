import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Who a user is at a provider: its issuer and subject, for one organization. */
@Entity({ name: 'provider_identities' })
export class ProviderIdentity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  /** Null for the provider of the installation. */
  @Column({ name: 'organization_id', type: 'int', nullable: true })
  organizationId!: number | null;

  @Column({ type: 'text' })
  issuer!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  /** The refresh token, which SECRET_KEY encrypts; null if the provider gave none. */
  @Column({ type: 'bytea', nullable: true })
  sealed!: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  /** When the provider last confirmed it. */
  @Column({ type: 'timestamptz', precision: 3 })
  checked!: Date;

  /** When the provider refused it. A later sign-in begins it again. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ended!: Date | null;

  /** The address, in lower case, for which the provider of the organization made the member; null if the user linked it. */
  @Column({ name: 'admitted_email', type: 'text', nullable: true })
  admittedEmail!: string | null;

  /** Since when the user is asked to keep or to end it. */
  @Column({ name: 'review_since', type: 'timestamptz', precision: 3, nullable: true })
  reviewSince!: Date | null;

  /** The browser in which it was made. */
  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent!: string | null;
}
