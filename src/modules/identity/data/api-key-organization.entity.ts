import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** An organization that a key without a limit opens: its user was a member when the key was made. */
@Entity({ name: 'api_key_organizations' })
export class ApiKeyOrganization extends TenantRow {
  @PrimaryColumn({ name: 'key_id', type: 'int' })
  keyId!: number;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  /** False for keys that had no limit before an upgrade, until an owner has seen them. */
  @Column({ name: 'shown_to_owners', type: 'boolean', default: true })
  shownToOwners!: boolean;

  /** When the key no longer opens it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ends!: Date | null;
}
