import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** A domain that an organization says is its own, and what looking for the proof has come to. */
@Entity({ name: 'domains' })
export class Domain extends NumberedRow {
  @Column({ type: 'text' })
  value!: string;

  /** The registrable domain that it lies in: who holds what is decided among those that share it. */
  @Column({ type: 'text' })
  registrable!: string;

  @Column({ type: 'boolean', default: false })
  verified!: boolean;

  @Column({ name: 'verification_token', type: 'text' })
  verificationToken!: string;

  /** In vain, since it was added or last verified. */
  @Column({ type: 'int', default: 0 })
  lookups!: number;

  @Column({ type: 'int', default: 0 })
  misses!: number;

  @Column({ name: 'last_miss', type: 'timestamptz', precision: 3, nullable: true })
  lastMiss!: Date | null;

  @Column({ name: 'last_lookup', type: 'timestamptz', precision: 3, nullable: true })
  lastLookup!: Date | null;

  /** A sentence for the person who waits for it. */
  @Column({ name: 'last_result', type: 'text', nullable: true })
  lastResult!: string | null;

  @Column({ name: 'next_lookup', type: 'timestamptz', precision: 3, default: () => 'now()' })
  nextLookup!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
