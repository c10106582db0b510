import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The codes of the app and recovery codes that a user has tried since the last right one. */
@Entity({ name: 'code_attempts' })
export class CodeAttempts {
  @PrimaryColumn({ name: 'user_id', type: 'int' })
  userId!: number;

  @Column({ type: 'int' })
  failures!: number;

  @Column({ name: 'last_attempt', type: 'timestamptz', precision: 3 })
  lastAttempt!: Date;
}
