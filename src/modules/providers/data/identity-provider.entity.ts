import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { ShownClaims } from '../domain/provider-claims';
import type { GroupRole, ProviderRole } from '../domain/role-mapping';

export interface SignInFailure {
  readonly at: string;
  readonly reason: string;
  readonly claims: ShownClaims;
}

/** The OpenID provider of an organization. */
@Entity({ name: 'identity_providers' })
export class IdentityProvider extends TenantRow {
  /** In its address for sign-ins. It is random, so that nobody can count organizations. */
  @Column({ type: 'uuid', default: () => 'gen_random_uuid()' })
  id!: string;

  @Column({ type: 'text' })
  issuer!: string;

  @Column({ name: 'client_id', type: 'text' })
  clientId!: string;

  /** The secret of the client, which SECRET_KEY encrypts. */
  @Column({ type: 'bytea' })
  sealed!: Buffer;

  @Column({ name: 'groups_claim', type: 'text' })
  groupsClaim!: string;

  @Column({ type: 'jsonb' })
  roles!: readonly GroupRole[];

  @Column({ name: 'default_role', type: 'text', nullable: true })
  defaultRole!: ProviderRole | null;

  /** Whether it makes users with addresses of the verified domains. */
  @Column({ name: 'creates_users', type: 'boolean' })
  createsUsers!: boolean;

  /** Whether an address counts only with `email_verified: true`. False for those that were set up before there was a choice. */
  @Column({ name: 'needs_verified_email', type: 'boolean', default: false })
  needsVerifiedEmail!: boolean;

  /** The last sign-ins that were refused, newest first. */
  @Column({ type: 'jsonb', default: [] })
  failures!: readonly SignInFailure[];

  @Column({ name: 'maker_id', type: 'int' })
  makerId!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
