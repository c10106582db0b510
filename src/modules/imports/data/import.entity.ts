import { Column, Entity } from 'typeorm';
import type { ActorType } from '../../../platform/api/caller';
import { WorkRow } from '../../../platform/database/work-row';
import type { CsvMapping, ScannerFormat } from '../../../scanner-files';
import type { VerificationResult } from '../../findings';
import type { ImportQuestion } from '../domain/import-question';
import type { ImportStatus, UnknownAssets } from '../domain/import-status';
import type { UntestedReason } from '../domain/summary-of-import';

@Entity({ name: 'imports' })
export class ImportRow extends WorkRow {
  @Column({ name: 'event_id', type: 'int', nullable: true })
  eventId!: number | null;

  /** The uploader's name for the file. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** The format that the request named; null if it is to be recognized. */
  @Column({ name: 'stated_format', type: 'text', nullable: true })
  statedFormat!: ScannerFormat | null;

  /** The format of the file, when it is known. */
  @Column({ type: 'text', nullable: true })
  format!: ScannerFormat | null;

  /** The columns of a table that are not read. */
  @Column({ name: 'ignored_columns', type: 'text', array: true, default: '{}' })
  ignoredColumns!: string[];

  @Column({ name: 'csv_mapping', type: 'jsonb', nullable: true })
  csvMapping!: CsvMapping | null;

  @Column({ name: 'dry_run', type: 'boolean' })
  dryRun!: boolean;

  @Column({ name: 'unknown_assets', type: 'text' })
  unknownAssets!: UnknownAssets;

  /** The labels of the assets that it adds. */
  @Column({ name: 'asset_labels', type: 'text', array: true, default: '{}' })
  assetLabels!: string[];

  /** The asset of results without a host. */
  @Column({ name: 'asset_value', type: 'text', nullable: true })
  assetValue!: string | null;

  /** The network that was scanned; null for the Internet, or if each row names its beacon. */
  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: ActorType;

  @Column({ name: 'actor_id', type: 'text' })
  actorId!: string;

  /** Who undoes it, and as whom findings change; null before. */
  @Column({ name: 'undone_by_type', type: 'text', nullable: true })
  undoneByType!: ActorType | null;

  @Column({ name: 'undone_by_id', type: 'text', nullable: true })
  undoneById!: string | null;

  @Column({ type: 'text', default: 'UPLOADING' })
  status!: ImportStatus;

  /** Why it ended in ERROR. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'int', default: 0 })
  size!: number;

  @Column({ type: 'int', default: 0 })
  chunks!: number;

  @Column({ type: 'bytea', nullable: true })
  sha256!: Buffer | null;

  /** The time of results without one: when this file was first imported. */
  @Column({ name: 'sighted_at', type: 'timestamptz', precision: 3, nullable: true })
  sightedAt!: Date | null;

  /** The attempt of the work that may save its progress. */
  @Column({ type: 'int', default: 0 })
  attempt!: number;

  @Column({ name: 'bytes_done', type: 'int', default: 0 })
  bytesDone!: number;

  /** All results up to this one are saved. */
  @Column({ name: 'rows_done', type: 'int', default: 0 })
  rowsDone!: number;

  @Column({ name: 'rows_new', type: 'int', default: 0 })
  rowsNew!: number;

  @Column({ name: 'rows_seen_again', type: 'int', default: 0 })
  rowsSeenAgain!: number;

  @Column({ name: 'rows_reopened', type: 'int', default: 0 })
  rowsReopened!: number;

  @Column({ name: 'rows_unchanged', type: 'int', default: 0 })
  rowsUnchanged!: number;

  @Column({ name: 'rows_refused', type: 'int', default: 0 })
  rowsRefused!: number;

  @Column({ name: 'rows_missing', type: 'int', default: 0 })
  rowsMissing!: number;

  @Column({ name: 'rows_contradicting', type: 'int', default: 0 })
  rowsContradicting!: number;

  /** The retests that it started because of those rows. */
  @Column({ name: 'retests_started', type: 'int', default: 0 })
  retestsStarted!: number;

  /** How many findings undoing it removed. */
  @Column({ type: 'int', default: 0 })
  removed!: number;

  /** How many findings undoing it kept, because they changed in the meantime. */
  @Column({ type: 'int', default: 0 })
  kept!: number;

  /** The findings whose tests it requested, the most severe first. */
  @Column({ name: 'verified_findings', type: 'int', array: true, default: '{}' })
  verifiedFindings!: number[];

  /** Whether an admin approved the requests of the file in advance. */
  @Column({ name: 'test_replays', type: 'boolean', default: false })
  testReplays!: boolean;

  /** Why the tests of its other open findings were not requested. */
  @Column({ type: 'jsonb', default: '[]' })
  untested!: readonly UntestedReason[];

  /** When the last part of the file arrived. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  touched!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  undone!: Date | null;

  /** Whether the import asks about rows between several assets before it begins. Otherwise these rows are refused. */
  @Column({ name: 'asks_places', type: 'boolean', default: false })
  asksPlaces!: boolean;

  /** Null until the file has been read for questions. */
  @Column({ type: 'jsonb', nullable: true })
  questions!: readonly ImportQuestion[] | null;

  /** Set while it is PENDING because of its questions. After this time, the rows that they are about are refused. */
  @Column({ name: 'waits_until', type: 'timestamptz', precision: 3, nullable: true })
  waitsUntil!: Date | null;

  /** Set for a dry run whose file can be imported until then. */
  @Column({ name: 'file_kept_until', type: 'timestamptz', precision: 3, nullable: true })
  fileKeptUntil!: Date | null;

  /** When removal of its rows began, to make room for newer imports. Its numbers stay. */
  @Column({ name: 'rows_removed', type: 'timestamptz', precision: 3, nullable: true })
  rowsRemoved!: Date | null;
}

/** Columns that only the upload and the worker use. */
export const INTERNAL_COLUMNS = [
  'statedFormat',
  'csvMapping',
  'chunks',
  'sha256',
  'sightedAt',
  'attempt',
  'touched',
  'verifiedFindings',
  'asksPlaces',
  'undoneByType',
  'undoneById',
] as const satisfies readonly (keyof ImportRow)[];

/** An import as the API returns it. */
export type Import = Omit<ImportRow, (typeof INTERNAL_COLUMNS)[number]> & {
  /** How many of the findings whose tests it requested have each result now. */
  readonly verification: Readonly<Partial<Record<VerificationResult, number>>>;
  /** Why the findings without a result were not tested. */
  readonly untestedReasons: readonly UntestedReason[];
};

/** An import that a worker runs. */
export type BegunImport = Omit<ImportRow, 'sightedAt' | 'verifiedFindings'> & { readonly sightedAt: Date };
