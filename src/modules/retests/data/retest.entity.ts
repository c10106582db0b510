import { Column, Entity } from 'typeorm';
import { NamedWorkRow } from '../../../platform/database/work-row';
import type { NewSite, Refusal, SignedEvidence } from '../../../engine';
import type { RetestResult, RetestStatus } from '../domain/retest-status';

@Entity({ name: 'retests' })
export class RetestRow extends NamedWorkRow {
  @Column({ name: 'finding_id', type: 'int' })
  findingId!: number;

  /** A copy of the finding's. */
  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ name: 'event_slug', type: 'text', nullable: true })
  eventSlug!: string | null;

  @Column({ name: 'check_id', type: 'text', nullable: true })
  checkId!: string | null;

  @Column({ name: 'check_definition', type: 'jsonb', nullable: true })
  checkDefinition!: unknown;

  @Column({ type: 'text', default: 'pending' })
  status!: RetestStatus;

  @Column({ type: 'text', nullable: true })
  result!: RetestResult | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'json', nullable: true })
  evidence!: SignedEvidence | null;

  /** What it saw of a site that has changed, if a person may confirm that it is the same. */
  @Column({ name: 'new_site', type: 'json', nullable: true })
  newSite!: NewSite | null;

  /** What refused a blocked one, which a person may confirm as the fix. */
  @Column({ type: 'json', nullable: true })
  refusal!: Refusal | null;

  /** Why a refusal counted as the fix; null if none did. */
  @Column({ name: 'by_refusal', type: 'text', nullable: true })
  byRefusal!: 'confirmed' | 'setting' | null;

  /** The number of requests in the evidence. */
  @Column({ type: 'int', nullable: true })
  requests!: number | null;

  /** The user who waits for the result; null for schedules and the service itself. */
  @Column({ name: 'started_by', type: 'int', nullable: true })
  startedBy!: number | null;

  /** The user who gave the result by hand. */
  @Column({ name: 'judged_by', type: 'int', nullable: true })
  judgedBy!: number | null;

  /** When `fixed` is looked at again; null if it is not. */
  @Column({ name: 'second_look_due', type: 'timestamptz', precision: 3, nullable: true })
  secondLookDue!: Date | null;

  @Column({ name: 'second_look_finished', type: 'timestamptz', precision: 3, nullable: true })
  secondLookFinished!: Date | null;

  @Column({ name: 'second_look_result', type: 'text', nullable: true })
  secondLookResult!: RetestResult | null;

  @Column({ name: 'second_look_reason', type: 'text', nullable: true })
  secondLookReason!: string | null;

  /** Not a reference: the account whose session was not proved, by the last of its looks. */
  @Column({ type: 'int', nullable: true })
  unproved!: number | null;

  /** When the response arrived that decided; null where nothing was decided, or a person gave the result. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  decided!: Date | null;
}

/** Without what is large and read separately. */
export type Retest = Omit<RetestRow, 'evidence' | 'newSite' | 'refusal'> & {
  /** What a person may confirm after it. */
  readonly offer: 'site' | 'refusal' | null;
};
