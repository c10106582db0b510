import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link with which a user sets a new password, sent to the user's own address. The row is deleted when it is used. */
@Entity({ name: 'mailed_password_resets' })
export class MailedPasswordReset {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  /** The token itself is only in the link. */
  @Column({ name: 'token_hash', type: 'bytea', unique: true })
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
