import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { FindingEdits } from '../domain/pins';
import type { FindingStatus } from '../domain/finding-status';
import type { Priority } from '../domain/priority';
import type { VerificationResult } from '../domain/verification';

/** The index of a severity in `SEVERITIES`. */
export type SeverityNumber = 0 | 1 | 2 | 3 | 4 | 5 | 6;

@Entity({ name: 'findings' })
export class FindingRow extends NumberedRow {
  /** The event in which it was first recorded. `EventFinding` has all events in which it was seen. */
  @Column({ name: 'event_id', type: 'int', nullable: true })
  eventId!: number | null;

  @Column({ name: 'asset_id', type: 'int', nullable: true })
  assetId!: number | null;

  @Column({ name: 'asset_value', type: 'text' })
  assetValue!: string;

  /** The host that the imported file names, if the asset is a domain above the host or a block around it. */
  @Column({ name: 'place_host', type: 'text', nullable: true })
  placeHost!: string | null;

  /** The beacon of the asset; null on the Internet. The same address behind two beacons is two assets. */
  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ type: 'text' })
  title!: string;

  /** The title and the asset value in lower case, for searches. The database generates it. */
  @Column({ type: 'text', insert: false, update: false })
  searched!: string;

  /** `titleKeyOf` the title. Null after an upgrade, until a worker sets it. */
  @Column({ name: 'title_key', type: 'bigint', nullable: true })
  titleKey!: number | null;

  @Column({ type: 'text', nullable: true })
  md!: string | null;

  @Column({ type: 'text', nullable: true })
  html!: string | null;

  @Column({ type: 'int', default: 1 })
  status!: FindingStatus;

  @Column({ name: 'previous_status', type: 'int', nullable: true })
  previousStatus!: FindingStatus | null;

  @Column({ type: 'int' })
  severity!: SeverityNumber;

  @Column({ type: 'int' })
  priority!: Priority;

  @Column({ name: 'requested_score', type: 'numeric', precision: 3, scale: 1, nullable: true })
  requestedScore!: string | null;

  @Column({ type: 'numeric', precision: 3, scale: 1, nullable: true })
  score!: string | null;

  @Column({ type: 'text', nullable: true })
  cve!: string | null;

  /** Its CVEs besides the first one. */
  @Column({ name: 'other_cves', type: 'text', array: true, default: '{}' })
  otherCves!: string[];

  /** The number in the Common Weakness Enumeration. */
  @Column({ type: 'int', nullable: true })
  cwe!: number | null;

  @Column({ name: 'cvss_vector', type: 'text', nullable: true })
  cvssVector!: string | null;

  /** Where the weakness is described: http and https URLs. */
  @Column({ name: 'reference_urls', type: 'text', array: true })
  references!: string[];

  /** The tier of its asset when it was recorded or attached to the asset. */
  @Column({ name: 'asset_tier', type: 'int', nullable: true })
  assetTier!: number | null;

  /** A copy of the highest score of its CVEs, for the priority and the filter. Null without a score. */
  @Column({ type: 'double precision', nullable: true })
  epss!: number | null;

  /** A copy: one of its CVEs is known to be exploited. */
  @Column({ type: 'boolean' })
  kev!: boolean;

  @Column({ type: 'bytea' })
  fingerprint!: Buffer;

  @Column({ name: 'check_id', type: 'text', nullable: true })
  checkId!: string | null;

  @Column({ name: 'check_definition', type: 'jsonb', nullable: true })
  checkDefinition!: unknown;

  /** Whether an admin allowed the check to send requests that may change state on the target. */
  @Column({ name: 'allow_unsafe', type: 'boolean', default: false })
  allowUnsafe!: boolean;

  @Column({ name: 'accepted_until', type: 'timestamptz', precision: 3, nullable: true })
  acceptedUntil!: Date | null;

  /** A member of the organization. */
  @Column({ name: 'assignee_id', type: 'int', nullable: true })
  assigneeId!: number | null;

  /** The user who set the assignee. */
  @Column({ name: 'assigned_by', type: 'int', nullable: true })
  assignedBy!: number | null;

  /** The last day to fix it, such as 2026-01-31. */
  @Column({ name: 'due_date', type: 'date', nullable: true })
  dueDate!: string | null;

  /** Whether a person set the due date, or removed it. */
  @Column({ name: 'due_by_hand', type: 'boolean', default: false })
  dueByHand!: boolean;

  /** The day from which the SLA counts; null for the day on which the finding was recorded. */
  @Column({ name: 'deadline_start', type: 'date', nullable: true })
  deadlineStart!: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  labels!: string[];

  /** For sorting by deadline, the soonest first. The database generates it. */
  @Column({ name: 'due_order', type: 'int', insert: false, update: false })
  dueOrder!: number;

  /** Whether a check of this service has seen the weakness. */
  @Column({ type: 'text' })
  verification!: VerificationResult;

  /** Null if no check is bound to the finding. */
  @Column({ name: 'verification_reason', type: 'text', nullable: true })
  verificationReason!: string | null;

  @Column({ name: 'verified_at', type: 'timestamptz', precision: 3, nullable: true })
  verifiedAt!: Date | null;

  /** Since when it has its current belief; null for the time when it was recorded. */
  @Column({ name: 'believed_since', type: 'timestamptz', precision: 3, nullable: true })
  believedSince!: Date | null;

  /** Whether a scanner has shown it with a request and a response, or a person has recorded it in an event. */
  @Column({ name: 'is_supported', type: 'boolean', default: false })
  isSupported!: boolean;

  @Column({ name: 'times_seen', type: 'int', default: 1 })
  timesSeen!: number;

  @Column({ name: 'last_seen', type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastSeen!: Date;

  /** When a test last showed that it is fixed: the time of the deciding response. */
  @Column({ name: 'fixed_at', type: 'timestamptz', precision: 3, nullable: true })
  fixedAt!: Date | null;

  /** When a person last stated by its status whether the weakness exists. */
  @Column({ name: 'stated_at', type: 'timestamptz', precision: 3, nullable: true })
  statedAt!: Date | null;

  /** The main finding, if it is merged. Lists, counts and reports leave out merged findings. */
  @Column({ name: 'merged_into', type: 'int', nullable: true })
  mergedInto!: number | null;

  /** What people have edited, with the values of the check or the file. */
  @Column({ type: 'jsonb', nullable: true })
  edits!: FindingEdits | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}

/** Fields that a new finding stores as they are given. Add an optional field here and as a column above. */
export type StatedFields = Pick<FindingRow, 'title'> & Partial<Pick<FindingRow, 'cve' | 'cwe' | 'references'>>;

/** Columns that only SQL conditions use: the search text, the digest of the title, the identity and the host. */
export const DATABASE_ONLY_COLUMNS = [
  'searched',
  'titleKey',
  'fingerprint',
  'placeHost',
] as const satisfies readonly (keyof FindingRow)[];

/** Columns that the API does not return. Only code that changes, tests or reports findings reads them. */
export const INTERNAL_COLUMNS = [
  ...DATABASE_ONLY_COLUMNS,
  'checkId',
  'checkDefinition',
  'acceptedUntil',
  'dueByHand',
  'deadlineStart',
  'assignedBy',
  'timesSeen',
  'lastSeen',
  'fixedAt',
  'statedAt',
] as const satisfies readonly (keyof FindingRow)[];

/** A finding with the columns that the API returns. */
export type Finding = Omit<FindingRow, (typeof INTERNAL_COLUMNS)[number]>;

/** Columns that lists leave out: each column with values takes 1 % of the processor time of a page of 50. */
export const UNLISTED_COLUMNS = [
  ...INTERNAL_COLUMNS,
  'organizationId',
  'dueOrder',
] as const satisfies readonly (keyof FindingRow)[];

/** A finding with the columns that lists show. */
export type ListedFinding = Omit<FindingRow, (typeof UNLISTED_COLUMNS)[number]>;

/** The organization of the finding, if it has accepted any checks: only then are they looked up. */
export interface WithAcceptingOrganization {
  readonly acceptingOrganization: number | null;
}

/** A finding with the columns that a retest needs. */
export type FindingWithCheck = Finding & Pick<FindingRow, 'checkId' | 'checkDefinition'>;

/** A finding whose row is locked for a change. */
export type LockedFinding = Omit<FindingRow, (typeof DATABASE_ONLY_COLUMNS)[number]>;

/** Columns with long texts. Batches do not read them, because they would take much memory. */
export const LONG_COLUMNS = ['md', 'html', 'checkDefinition'] as const satisfies readonly (keyof FindingRow)[];
type LongColumn = (typeof LONG_COLUMNS)[number];

/** A finding with its fingerprint in hex. The long columns are present only if they were read. */
export type ScannedFinding = Omit<LockedFinding, LongColumn> &
  Partial<Pick<LockedFinding, LongColumn>> & { readonly scanFingerprint: string };
