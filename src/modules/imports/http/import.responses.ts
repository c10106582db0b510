import { presented, ResponseField } from '../../../platform/api/response-field';
import { WorkTimesResponse } from '../../../platform/api/work-times.response';
import { SCANNER_FORMATS } from '../../../scanner-files';
import { CONTRADICTIONS } from '../../retests';
import type { Import } from '../data/import.entity';
import type { ShownResult } from '../data/import-results.repository';
import { refusalsNotStored, ROW_RESULTS, SHOWN_STATUSES, UNKNOWN_ASSETS } from '../domain/import-status';
import { type ImportSummary, summaryOfImport } from '../domain/summary-of-import';
import { ImportActor, ImportCounts, ImportVerificationCounts, UntestedResponse } from './import-counts.responses';

export class ImportResponse extends WorkTimesResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.string({ nullable: true })
  name!: string | null;

  @ResponseField.string({ enum: SHOWN_STATUSES })
  status!: string;

  @ResponseField.string({
    nullable: true,
    description: 'Why it ended in ERROR, with the line. What was imported until then stays, and can be undone.',
  })
  error!: string | null;

  @ResponseField.string({ nullable: true, enum: SCANNER_FORMATS, description: 'Null until it is recognized.' })
  format!: string | null;

  @ResponseField.strings({
    description:
      'For a table (CSV), the columns that were not read, at most 100. Name those that you need in `csv_mapping`.',
  })
  ignored_columns!: string[];

  @ResponseField.boolean()
  dry_run!: boolean;

  @ResponseField.string({ enum: UNKNOWN_ASSETS })
  unknown_assets!: string;

  @ResponseField.strings({ description: 'The labels of the assets that it adds.' })
  asset_labels!: string[];

  @ResponseField.string({
    nullable: true,
    description: 'The asset of results that name none, or that match several.',
  })
  asset!: string | null;

  @ResponseField.integer({ nullable: true, description: 'The beacon of the network that was scanned.' })
  beacon_id!: number | null;

  @ResponseField.integer({ description: 'In bytes.' })
  size!: number;

  @ResponseField.integer({ description: 'How many bytes of the file were read.' })
  bytes_done!: number;

  @ResponseField.integer({ description: 'How many results of the file were read.' })
  rows_done!: number;

  @ResponseField.one(ImportCounts)
  rows!: ImportCounts;

  @ResponseField.integer({
    description:
      'How many refused rows are only counted. The first 1,000 refusals of an import are stored with line and reason.',
  })
  refused_not_stored!: number;

  @ResponseField.instant({
    nullable: true,
    description:
      'When its rows were removed to make room for those of newer imports. The numbers stay, and it can no longer be undone.',
  })
  rows_removed!: string | null;

  @ResponseField.one(ImportVerificationCounts, {
    description: 'The results so far of the tests of its findings that are bound to a check, at most 500.',
  })
  verification!: ImportVerificationCounts;

  @ResponseField.string({
    description:
      'What became of its findings, as a sentence: how many were imported, what their tests have shown, and how many wait for a test.',
  })
  summary!: string;

  @ResponseField.list(UntestedResponse, {
    description: 'Why open findings of the import were not tested, the most frequent reason first.',
  })
  untested!: UntestedResponse[];

  @ResponseField.boolean({ description: 'Whether an admin approved the requests of the file in advance.' })
  test_replays!: boolean;

  @ResponseField.integer({
    description: 'Rows of resolved findings that do not reopen them, because they may have been fixed since.',
  })
  contradicting!: number;

  @ResponseField.integer({ description: 'How many retests they started, at most 20.' })
  retests_started!: number;

  @ResponseField.integer({ description: 'How many findings were removed when it was undone.' })
  removed!: number;

  @ResponseField.integer({ description: 'How many findings changed while it was undone, and stay.' })
  kept!: number;

  @ResponseField.one(ImportActor, { description: 'Who uploaded the file.' })
  actor!: ImportActor;

  @ResponseField.instant({ nullable: true })
  undone!: string | null;

  @ResponseField.instant({ nullable: true, description: 'For a dry run: until when its file can be imported.' })
  file_kept_until!: string | null;

  @ResponseField.instant({
    nullable: true,
    description:
      'While it is PENDING because the portal asks for the assets of some rows: these are refused if nobody answers until then.',
  })
  waits_until!: string | null;
}

export class ImportListResponse {
  @ResponseField.list(ImportResponse)
  imports!: ImportResponse[];
}

export class ImportRowResponse {
  @ResponseField.integer({ description: 'The position in the file, from 1. Missing findings follow the last result.' })
  number!: number;

  @ResponseField.integer({ nullable: true, description: 'The line of the file. Null for missing findings.' })
  line!: number | null;

  @ResponseField.string({ enum: ROW_RESULTS })
  result!: string;

  @ResponseField.string({
    nullable: true,
    description: 'Why it was refused, or which earlier row has the same finding with another title or severity.',
  })
  reason!: string | null;

  @ResponseField.integer({ nullable: true })
  finding_id!: number | null;

  @ResponseField.string({
    nullable: true,
    enum: CONTRADICTIONS,
    description: 'Whether the row contradicts its finding, which is resolved, and whether a retest was started.',
  })
  contradiction!: string | null;

  @ResponseField.string({ nullable: true })
  title!: string | null;

  @ResponseField.string({ nullable: true })
  asset_value!: string | null;

  @ResponseField.string({ nullable: true })
  scanner!: string | null;
}

export class ImportRowListResponse {
  @ResponseField.list(ImportRowResponse)
  rows!: ImportRowResponse[];
}

function presentVerification({ verification }: Import, waiting: number): ImportVerificationCounts {
  const { confirmed = 0, refuted = 0, inconclusive = 0, untested = 0 } = verification;
  return { tested: confirmed + refuted + inconclusive, confirmed, refuted, inconclusive, untested, waiting };
}

export const presentImport = (one: Import): ImportResponse => present(one, summaryOfImport(one));

const present = (one: Import, { sentence: summary, untested, waiting }: ImportSummary): ImportResponse =>
  presented(ImportResponse, one, {
    asset: one.assetValue,
    rows: {
      new: one.rowsNew,
      seen_again: one.rowsSeenAgain,
      reopened: one.rowsReopened,
      unchanged: one.rowsUnchanged,
      refused: one.rowsRefused,
      missing: one.rowsMissing,
    },
    refused_not_stored: refusalsNotStored(one),
    verification: presentVerification(one, waiting),
    summary,
    untested: [...untested],
    contradicting: one.rowsContradicting,
    actor: { type: one.actorType, id: one.actorId },
  });

export const presentImportRow = (row: ShownResult): ImportRowResponse => presented(ImportRowResponse, row, {});
