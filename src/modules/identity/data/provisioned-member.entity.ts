import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { Role } from '../../../kernel/role';

/** What the provider of an organization says of a member over SCIM. */
@Entity({ name: 'provisioned_members' })
export class ProvisionedMember extends TenantRow {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  /** The id that the provider gives the user. */
  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId!: string | null;

  /** The role of a member whom the provider has removed, which a return restores; null for all others. */
  @Column({ name: 'removed_role', type: 'text', nullable: true })
  removedRole!: Role | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
