import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** A link with which a member sets a new password. The row is deleted when the link is used. */
@Entity({ name: 'password_resets' })
export class PasswordReset extends NumberedRow {
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
