import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A link with which a member sets a new password. The row is deleted when the link is used. */
@Entity({ name: 'password_resets' })
export class PasswordReset {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'pk_password_resets',
  })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_password_resets' })
  organizationId!: number;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  /** The token itself is only in the link. */
  @Column({ name: 'token_hash', type: 'bytea', unique: true })
  tokenHash!: Buffer;

  @Column({ name: 'requested_by', type: 'int' })
  requestedBy!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
