import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** With which the provider of an organization sends SCIM. */
@Entity({ name: 'scim_tokens' })
export class ScimToken extends TenantRow {
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  created!: Date;
}
