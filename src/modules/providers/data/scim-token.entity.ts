import { Column, Entity, PrimaryColumn } from 'typeorm';

/** With which the provider of an organization sends SCIM. */
@Entity({ name: 'scim_tokens' })
export class ScimToken {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_scim_tokens' })
  organizationId!: number;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  created!: Date;
}
