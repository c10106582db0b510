import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The authenticator app of a user. */
@Entity({ name: 'second_factors' })
export class SecondFactor {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  /** Encrypted with SECRET_KEY. */
  @Column({ type: 'bytea' })
  secret!: Buffer;

  /** Null until the user has given a first code. Sign-ins do not ask for codes before. */
  /** Set up while the address of the user was not proved. */
  @Column({ name: 'is_unproved', type: 'boolean', default: false })
  isUnproved!: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmed!: Date | null;

  /** The time step of the last accepted code, which is refused a second time. */
  @Column({ name: 'last_step', type: 'int', nullable: true })
  lastStep!: number | null;

  /** Attempts, as the previous version counts them. `code_attempts` has them now, and those of recovery codes. */
  @Column({ type: 'int', default: 0 })
  failures!: number;

  @Column({ name: 'last_attempt', type: 'timestamptz', precision: 3, nullable: true })
  lastAttempt!: Date | null;
}
