import { Column, Entity } from 'typeorm';
import type { Coverage, SentRequest } from '../../../engine';
import type { TestDepth } from '../../../kernel/test-depth';
import { NamedWorkRow } from '../../../platform/database/work-row';
import type { ActiveState } from '../domain/active-state';
import type { SelectedTemplate } from '../domain/check-selection';
import { JOB_KIND, type JobKind } from '../domain/job-kind';
import type { Gate } from '../domain/job-success';
import type { JobStatus } from '../domain/job-status';
import type { AccountOfJob, Lane } from '../domain/lanes';

@Entity({ name: 'jobs' })
export class JobRow extends NamedWorkRow {
  @Column({ name: 'event_id', type: 'int', nullable: true })
  eventId!: number | null;

  @Column({ name: 'asset_id', type: 'int', nullable: true })
  assetId!: number | null;

  /** Not a reference: after the beacon was deleted the job must not run without it. */
  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ type: 'text' })
  url!: string;

  /** Who runs the host, where that limits the job to passive checks. */
  @Column({ name: 'hosted_by', type: 'text', nullable: true })
  hostedBy!: string | null;

  @Column({ name: 'hosted_target', type: 'text', nullable: true })
  hostedTarget!: string | null;

  /** What the launch selected: ids and tags. Null for all built-in checks. */
  @Column({ type: 'text', array: true, nullable: true })
  checks!: string[] | null;

  /** The templates that this selected, in the versions of the launch. */
  @Column({ type: 'json', nullable: true })
  templates!: SelectedTemplate[] | null;

  /** The kind of its work. */
  @Column({ type: 'text', default: JOB_KIND })
  kind!: JobKind;

  @Column({ type: 'text', default: 'standard' })
  depth!: TestDepth;

  /** Requests that the launch of an active job named, until its end. */
  @Column({ type: 'json', nullable: true })
  seeds!: readonly SentRequest[] | null;

  /** Null before the crawl of an active job has ended. */
  @Column({ type: 'json', nullable: true })
  active!: ActiveState | null;

  /** The addresses that an active job may dial, by host. */
  @Column({ type: 'jsonb', nullable: true })
  addresses!: Readonly<Record<string, readonly string[]>> | null;

  /** The accounts that it signs in with after its run without a session; null for none. */
  @Column({ type: 'json', nullable: true })
  accounts!: readonly AccountOfJob[] | null;

  /** How each run has ended, without a session and with each account; null until then, and without accounts. */
  @Column({ type: 'json', nullable: true })
  lanes!: readonly Lane[] | null;

  @Column({ type: 'text', default: 'PENDING' })
  status!: JobStatus;

  /** Why the job ended in ERROR. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** What was sent to the target. Null before its end, and for jobs of earlier versions. */
  @Column({ type: 'int', nullable: true })
  requests!: number | null;

  /** The user who waits for its end; null for schedules and plans. */
  @Column({ name: 'started_by', type: 'int', nullable: true })
  startedBy!: number | null;

  /** The gate at its end, for the feed. */
  @Column({ type: 'text', nullable: true })
  gate!: Gate | null;

  /** When it may send nothing more. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  until!: Date | null;

  /** Since it has begun, for its turns of accounts: not a part of its time. */
  @Column({ name: 'waited_ms', type: 'int', default: 0 })
  waitedMs!: number;

  @Column({ type: 'json', nullable: true })
  coverage!: Coverage[] | null;
}

/** What is large, or only read to run the job or to show all of it. */
export const UNREAD = [
  'coverage',
  'gate',
  'startedBy',
  'templates',
  'seeds',
  'active',
  'addresses',
  'lanes',
  'waitedMs',
] as const satisfies readonly (keyof JobRow)[];

/** A job as it is read and presented. */
export type Job = Omit<JobRow, (typeof UNREAD)[number]>;

export type EndedJob = Pick<Job, 'id' | 'organizationId' | 'beaconId' | 'finished'>;
