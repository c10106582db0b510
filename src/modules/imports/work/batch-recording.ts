import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { severityNumber } from '../../../kernel/severity';
import type { Actor } from '../../../platform/api/caller';
import {
  type ScannedDraft,
  ScannedFindingsService,
  type RepeatedResult,
  RepeatedResultsService,
  type ScannedOutcome,
  type ScanTarget,
} from '../../findings';
import { serviceOfText } from '../../assets';
import type { BegunImport } from '../data/import.entity';
import { type EarlierRow, ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import { type FileRow, type RepeatedRows, repeatedRowsOf } from '../domain/repeated-rows';
import { textOfResult } from '../domain/result-text';
import type { LocatedRow } from './batch-location';
import { CONTRADICTS } from './import-contradictions';

type RecordedRow = FileRow & Omit<NewResult, 'reason' | 'contradiction' | keyof FileRow>;

/** Records the results of a batch as findings, or shows what this would change. */
@Injectable()
export class BatchRecording {
  constructor(
    private readonly results: ImportResultsRepository,
    private readonly findings: ScannedFindingsService,
    private readonly repeated: RepeatedResultsService,
  ) {}

  async record(actor: Actor, begun: BegunImport, rows: readonly LocatedRow[]): Promise<NewResult[]> {
    if (rows.length === 0) return [];
    const drafts = await this.findings.withFormerIdentities(targetOf(begun), rows.map(draftOf));
    const fingerprints = new Set(drafts.map(fingerprintInNetwork));
    const earlier = await this.results.listEarlier(begun.id, [...fingerprints]);
    const outcomes = await this.outcomesOf(actor, begun, drafts, earlier);
    const results = rows.map((row, index) => recordedRowOf(row, drafts[index], outcomes[index]));
    const firstOfEach = new Map(earlier.toReversed().map((row) => [row.fingerprint, row]));
    const repeated = repeatedRowsOf(results, [...firstOfEach.values()]);
    await this.amend(begun, repeated, results, drafts);
    return results.map((row, index): NewResult => {
      const first = repeated.firsts.get(row.fingerprint);
      const isFirst = first?.number === row.number;
      const isSighting = begun.dryRun && row.result !== 'unchanged';
      const contradicts = outcomes[index]?.contradicts === true;
      return {
        reason: repeated.reasons.get(row.number) ?? (contradicts ? CONTRADICTS : null),
        contradiction: contradicts ? 'contradicts' : null,
        ...row,
        severity: isFirst ? first.severity : row.severity,
        fingerprint: isFirst || isSighting ? row.fingerprint : null,
        seenAt: begun.dryRun ? row.seenAt : null,
      };
    });
  }

  /** A dry run also stores the higher severities, because the next batches compare with them. */
  private async amend(
    { id, organizationId, dryRun }: BegunImport,
    { ofNew, raised }: RepeatedRows,
    results: readonly RecordedRow[],
    drafts: readonly ScannedDraft[],
  ): Promise<void> {
    const repeated = results.flatMap(({ number, findingId, result }, index): RepeatedResult[] => {
      const draft = drafts[index];
      if (draft === undefined || findingId === null) return [];
      if (ofNew.has(number)) return [{ findingId, ...draft, seenAt: null }];
      const { severity, score, cvssVector, seenAt } = draft;
      const isLater = result === 'seen_again' || result === 'reopened';
      return isLater ? [{ findingId, severity, score, cvssVector, cve: null, seenAt }] : [];
    });
    if (!dryRun) await this.repeated.amend(organizationId, repeated);
    await this.results.saveSeverities(id, raised);
  }

  private async outcomesOf(
    actor: Actor,
    begun: BegunImport,
    drafts: readonly ScannedDraft[],
    earlier: readonly EarlierRow[],
  ): Promise<ScannedOutcome[]> {
    const target = targetOf(begun);
    if (!begun.dryRun) return this.findings.record(actor, target, drafts);
    const byFingerprint = new Map(drafts.map((draft) => [fingerprintInNetwork(draft), draft]));
    const before = earlier.flatMap(({ fingerprint, seenAt }) => {
      const draft = byFingerprint.get(fingerprint);
      return draft === undefined || seenAt === null ? [] : [{ ...draft, seenAt }];
    });
    return this.findings.preview(target, drafts, before);
  }
}

const targetOf = ({ id: importId, organizationId, eventId }: BegunImport): ScanTarget => ({
  importId,
  organizationId,
  eventId,
});

/** The same place behind two beacons is two findings. */
const fingerprintInNetwork = ({ fingerprint, asset: { beaconId } }: ScannedDraft): string =>
  beaconId === null ? fingerprint : createHash('sha256').update(`${fingerprint} ${beaconId}`).digest('hex');

const draftOf = ({ result, asset }: LocatedRow): ScannedDraft => ({
  asset,
  text: () => textOfResult(result, result.shownPlace),
  // Spread last: V8 makes a far larger object if properties follow a spread.
  ...result,
});

const recordedRowOf = (
  { number, line, asset }: LocatedRow,
  draft: ScannedDraft | undefined,
  outcome: ScannedOutcome | undefined,
): RecordedRow => {
  if (draft === undefined || outcome === undefined) throw new Error('A result of a batch has no outcome.');
  const { seenAt, title, severity, scanner } = draft;
  return {
    number,
    line,
    result: outcome.result,
    findingId: outcome.findingId,
    title,
    assetValue: asset.value,
    scanner,
    place: serviceOfText(draft.place),
    severity: severityNumber(severity),
    fingerprint: fingerprintInNetwork(draft),
    seenAt,
  };
};
