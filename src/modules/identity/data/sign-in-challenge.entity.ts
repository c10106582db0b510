import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user who has given the password, and not yet the code of the second factor. It is no session. */
@Entity({ name: 'sign_in_challenges' })
export class SignInChallenge {
  /** The token itself is only in the cookie. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
