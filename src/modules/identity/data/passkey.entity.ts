import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A key of an authenticator, with which a user signs in. */
@Entity({ name: 'passkeys' })
export class Passkey {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** The name by which the authenticator knows it. */
  @Column({ name: 'credential_id', type: 'bytea', unique: true })
  credentialId!: Buffer;

  @Column({ name: 'public_key', type: 'bytea' })
  publicKey!: Buffer;

  /** How often the authenticator has used it; 0 if it does not count. A bigint, so a string. */
  @Column({ type: 'bigint' })
  counter!: string;

  /** How the browser reaches the authenticator, such as `internal` or `usb`. */
  @Column({ type: 'text', array: true })
  transports!: string[];

  /** Added while the address of the user was not proved. */
  @Column({ name: 'is_unproved', type: 'boolean', default: false })
  isUnproved!: boolean;

  /** When the newest challenge was issued that it has signed. Older ones are refused. */
  @Column({ name: 'last_challenge', type: 'timestamptz', precision: 3 })
  lastChallenge!: Date;

  @Column({ name: 'last_used', type: 'timestamptz', precision: 3, nullable: true })
  lastUsed!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
