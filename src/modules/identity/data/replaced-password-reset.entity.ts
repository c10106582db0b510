import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mailed link for a new password that is not the user's newest. */
@Entity({ name: 'replaced_password_resets' })
export class ReplacedPasswordReset {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
