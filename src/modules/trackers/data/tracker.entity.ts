import { Column, Entity } from 'typeorm';
import type { Severity } from '../../../kernel/severity';
import { Destination } from '../../feed';
import type { RequiredField } from '../domain/tracker-api';
import type { RegressionRule, TicketDetail, TrackerKind, TrackerPause } from '../domain/tracker-vocabulary';

/** A project in Jira, GitHub or GitLab in which findings have tickets. */
@Entity({ name: 'trackers' })
export class Tracker extends Destination {
  declare pauseReason: TrackerPause | null;

  @Column({ type: 'text' })
  kind!: TrackerKind;

  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'text' })
  project!: string;

  /** In Jira. */
  @Column({ name: 'issue_type', type: 'text' })
  issueType!: string;

  /** The credentials, which SECRET_KEY encrypts. Null until they are typed. */
  @Column({ type: 'bytea', nullable: true })
  sealed!: Buffer | null;

  /** Whether findings that match the filter get a ticket without a person. */
  @Column({ type: 'boolean' })
  automatic!: boolean;

  /** The priority in Jira, or a label elsewhere. A severity without one leaves it to the tracker. */
  @Column({ type: 'jsonb' })
  priorities!: Partial<Record<Severity, string>>;

  @Column({ name: 'ticket_labels', type: 'text', array: true })
  ticketLabels!: string[];

  @Column({ type: 'text', nullable: true })
  component!: string | null;

  /** As the tracker names accounts in requests. */
  @Column({ type: 'text', nullable: true })
  assignee!: string | null;

  @Column({ type: 'text', array: true })
  details!: TicketDetail[];

  /** Names of statuses in Jira and of labels elsewhere, in lower case. */
  @Column({ name: 'wont_do', type: 'text', array: true })
  wontDo!: string[];

  @Column({ type: 'text' })
  regression!: RegressionRule;

  /** The most tickets that are opened in a day. */
  @Column({ name: 'daily_limit', type: 'int' })
  dailyLimit!: number;

  @Column({ name: 'day_started', type: 'timestamptz', precision: 3, nullable: true })
  dayStarted!: Date | null;

  @Column({ name: 'day_opened', type: 'int', default: 0 })
  dayOpened!: number;

  /** The position in the feed up to which changes of findings that have tickets were looked at. */
  @Column({ type: 'bigint' })
  followed!: string;

  @Column({ type: 'int', default: 0 })
  misses!: number;

  /** Nothing is sent before. */
  @Column({ name: 'resume_at', type: 'timestamptz', precision: 3, nullable: true })
  resumeAt!: Date | null;

  /** Up to which change in the tracker its list was read. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  polled!: Date | null;

  @Column({ name: 'next_poll', type: 'timestamptz', precision: 3, nullable: true })
  nextPoll!: Date | null;

  @Column({ name: 'test_requested', type: 'timestamptz', precision: 3, nullable: true })
  testRequested!: Date | null;

  /** When a test last succeeded; null since a change of where it leads. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  tested!: Date | null;

  /** Whose credentials these are, as the last test has seen. */
  @Column({ type: 'text', nullable: true })
  account!: string | null;

  /** Those that the project demands, as the last test has seen. */
  @Column({ type: 'jsonb', default: '[]' })
  fields!: RequiredField[];

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  /** The random part of the address at which it may say that something has changed. */
  @Column({ type: 'text' })
  hook!: string;
}
