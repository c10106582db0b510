import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import { type ScannedDraft, ScannedFindingsService, type ScannedOutcome, type ScanTarget } from '../../findings';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import { textOfResult } from '../domain/result-text';
import type { LocatedRow } from './batch-location';

/** Records the results of a batch as findings, or shows what this would change. */
@Injectable()
export class BatchRecording {
  constructor(
    private readonly results: ImportResultsRepository,
    private readonly findings: ScannedFindingsService,
  ) {}

  async record(actor: Actor, begun: BegunImport, rows: readonly LocatedRow[]): Promise<NewResult[]> {
    if (rows.length === 0) return [];
    const drafts = await this.findings.withFormerIdentities(targetOf(begun), rows.map(draftOf));
    const outcomes = await this.outcomesOf(actor, begun, drafts);
    return rows.map((row, index) => rowOf(row, drafts[index], outcomes[index], begun.dryRun));
  }

  private async outcomesOf(
    actor: Actor,
    begun: BegunImport,
    drafts: readonly ScannedDraft[],
  ): Promise<ScannedOutcome[]> {
    const target = targetOf(begun);
    if (!begun.dryRun) return this.findings.record(actor, target, drafts);
    const byFingerprint = new Map(drafts.map((draft) => [draft.fingerprint, draft]));
    const earlier = await this.results.listEarlier(begun.id, [...byFingerprint.keys()]);
    const before = earlier.flatMap(({ fingerprint, seenAt }) => {
      const draft = byFingerprint.get(fingerprint);
      return draft === undefined ? [] : [{ fingerprint, seenAt, scanner: draft.scanner, ruleId: draft.ruleId }];
    });
    return this.findings.preview(target, drafts, before);
  }
}

const targetOf = ({ id: importId, organizationId, eventId }: BegunImport): ScanTarget => ({
  importId,
  organizationId,
  eventId,
});

const draftOf = ({ result: { draft, finding }, asset }: LocatedRow): ScannedDraft => ({
  asset,
  text: () => textOfResult(finding, draft.location),
  // Last, because V8 makes a far larger object if fields follow those of another object.
  ...draft,
});

const rowOf = (
  { number, line, asset }: LocatedRow,
  draft: ScannedDraft | undefined,
  outcome: ScannedOutcome | undefined,
  isDryRun: boolean,
): NewResult => {
  if (draft === undefined || outcome === undefined) throw new Error('A result of a batch has no outcome.');
  const { fingerprint, seenAt, title, scanner } = draft;
  return {
    number,
    line,
    result: outcome.result,
    reason: null,
    findingId: outcome.findingId,
    title,
    assetValue: asset.value,
    scanner,
    fingerprint: isDryRun ? fingerprint : null,
    seenAt: isDryRun ? seenAt : null,
  };
};
