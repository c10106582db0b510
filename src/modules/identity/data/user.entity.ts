import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity({ name: 'users' })
export class User {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'text' })
  email!: string;

  @Column({ name: 'folded_email', type: 'text', unique: true })
  foldedEmail!: string;

  /** As reports show it. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** Null until a password is set: such a user has keys, and cannot sign in to the portal. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  @Column({ name: 'integrator_id', type: 'int', nullable: true })
  integratorId!: number | null;

  /** Null before it. After later ones with a new browser the user gets a mail. */
  @Column({ name: 'first_sign_in', type: 'timestamptz', precision: 3, nullable: true })
  firstSignIn!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
