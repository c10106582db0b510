import { Entity, PrimaryColumn } from 'typeorm';

/** A code that replaces one of the authenticator app, or a passkey. The row is deleted when it is used. */
@Entity({ name: 'recovery_codes' })
export class RecoveryCode {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  @PrimaryColumn({ name: 'code_hash', type: 'bytea' })
  codeHash!: Buffer;
}
