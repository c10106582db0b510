import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'signing_keys' })
export class SigningKeyRow {
  /** Derived from the public key. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** SubjectPublicKeyInfo as PEM. */
  @Column({ name: 'public_key', type: 'text' })
  publicKey!: string;

  /** PKCS #8, encrypted. */
  @Column({ name: 'private_key', type: 'bytea' })
  privateKey!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retired!: Date | null;
}

export type EvidenceKey = Omit<SigningKeyRow, 'privateKey'>;
