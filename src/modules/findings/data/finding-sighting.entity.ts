import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { ActorType } from '../../../platform/api/caller';
import type { FindingStatus } from '../domain/finding-status';
import type { SeverityNumber } from './finding.entity';

export type SightingOutcome = 'created' | 'seen_again' | 'reopened';

/** The fields of a finding that a reopening changed. */
export interface BeforeReopening {
  readonly status: FindingStatus;
  readonly previousStatus: FindingStatus | null;
  readonly deadlineStart: string | null;
  readonly dueDate: string | null;
}

/** Records that a scanner, a job or a person saw a finding. */
@Entity({ name: 'finding_sightings' })
export class FindingSighting extends TenantRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Column({ name: 'finding_id', type: 'int' })
  findingId!: number;

  @Column({ name: 'event_id', type: 'int', nullable: true })
  eventId!: number | null;

  @Column({ name: 'import_id', type: 'int', nullable: true })
  importId!: number | null;

  @Column({ name: 'job_uuid', type: 'uuid', nullable: true })
  jobUuid!: string | null;

  @Column({ type: 'text' })
  scanner!: string;

  @Column({ name: 'rule_id', type: 'text', nullable: true })
  ruleId!: string | null;

  /** A digest of the scanner and its rule. */
  @Column({ type: 'bytea' })
  source!: Buffer;

  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 })
  seenAt!: Date;

  @Column({ type: 'text' })
  outcome!: SightingOutcome;

  /** The history entry that the sighting caused. */
  @Column({ name: 'history_id', type: 'bigint', nullable: true })
  historyId!: string | null;

  /** The history entry that says that the check from this sighting was bound to the finding. */
  @Column({ name: 'bound_history_id', type: 'bigint', nullable: true })
  boundHistoryId!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  before!: BeforeReopening | null;

  /** The line in the scanner's file. */
  @Column({ type: 'int', nullable: true })
  line!: number | null;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'int' })
  severity!: SeverityNumber;

  @Column({ type: 'text', nullable: true })
  location!: string | null;

  /** The part of the location that identifies the finding; null if a person or a job recorded it. */
  @Column({ type: 'text', nullable: true })
  place!: string | null;

  @Column({ type: 'text', nullable: true })
  parameter!: string | null;

  @Column({ type: 'text', nullable: true })
  evidence!: string | null;

  /** The request that showed the weakness, and an extract of its response. */
  @Column({ type: 'jsonb', nullable: true })
  replay!: unknown;

  /** The source of a template from the file. It runs only after a person has approved it. */
  @Column({ type: 'text', nullable: true })
  template!: string | null;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: ActorType;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

/** A sighting as the API returns it. */
export type Sighting = Omit<
  FindingSighting,
  'organizationId' | 'source' | 'outcome' | 'historyId' | 'boundHistoryId' | 'before' | 'replay' | 'template'
> & { readonly hasReplay: boolean; readonly hasTemplate: boolean };
