import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The user has shown that the e-mail address is theirs, or the operator has stated it. */
@Entity({ name: 'address_proofs' })
export class AddressProof {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
