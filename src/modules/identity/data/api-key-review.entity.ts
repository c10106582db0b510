import { Column, Entity, PrimaryColumn } from 'typeorm';

export type ReviewReason = 'upgrade' | 'new_password';

/** A key that its user is asked to keep or to end. */
@Entity({ name: 'api_key_reviews' })
export class ApiKeyReview {
  @PrimaryColumn({ name: 'key_id', type: 'int' })
  keyId!: number;

  @Column({ type: 'text' })
  reason!: ReviewReason;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
