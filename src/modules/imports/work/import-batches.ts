import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import type { Actor } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { isLimitOf, storedLimitOf } from '../../../platform/database/database-errors';
import type { ScannerFormat } from '../../../scanner-files';
import { recognizeAsset, type ScannedAsset, ScannedAssetsService } from '../../assets';
import { type ScannedDraft, ScannedFindingsService, type ScannedOutcome, type ScanTarget } from '../../findings';
import { OrganizationsService } from '../../organizations';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';
import { MAX_REFUSED, MAX_STORED_REFUSALS, type RowResult } from '../domain/import-status';
import { textOfResult } from '../domain/result-text';
import type { ScannedResult } from '../domain/scanned-result';
import { importAudit, uploaderOf } from './import-audit';
import { ImportRowRemoval } from './import-row-removal';
import { ImportStoppedError, tooManyRefused } from './import-stopped-error';

/** A row of the file: a result, or why it has none. */
export type BatchRow = { readonly number: number; readonly line: number } & (
  | { readonly result: ScannedResult; readonly refusal?: undefined }
  | { readonly refusal: string; readonly result?: undefined }
);

/** How far the file was read. */
export interface ReadProgress {
  readonly bytesDone: number;
  readonly format: ScannerFormat | null;
}

/** Another attempt runs the import, or it is over. */
export class ImportLostError extends Error {}

type Located = BatchRow & { readonly result: ScannedResult; readonly asset: ScannedAsset };

const scope = everything('a worker runs the imports of all organizations');

/** Records a batch of rows with what became of each of them, and that the import has come so far, all or nothing. */
@Injectable()
export class ImportBatches {
  /** The hosts that a dry run would have added as assets so far. */
  private readonly previewed = new WeakMap<BegunImport, Set<string>>();

  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly assets: ScannedAssetsService,
    private readonly findings: ScannedFindingsService,
    private readonly organizations: OrganizationsService,
    private readonly removal: ImportRowRemoval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws an ImportStoppedError if the import may go no further. */
  async save(begun: BegunImport, batch: readonly BatchRow[], progress: ReadProgress): Promise<void> {
    const refused = await this.storing(begun, batch.length, () => this.saveRows(begun, batch, progress));
    if (refused > MAX_REFUSED) throw tooManyRefused(batch.at(-1)?.line);
  }

  /** Makes room for the rows if the organization stores too many. Another limit of the organization ends the import. */
  async storing<T>(begun: BegunImport, rows: number, store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      const limitError = storedLimitOf(error);
      if (limitError === undefined) throw error;
      const isMade = isLimitOf('import_rows', error) && (await this.removal.makeRoom(begun.organizationId, rows)) > 0;
      if (!isMade) throw new ImportStoppedError(limitError.message);
      return this.storing(begun, rows, store);
    }
  }

  /** Returns how many rows of the import were refused up to now. */
  private async saveRows(begun: BegunImport, batch: readonly BatchRow[], progress: ReadProgress): Promise<number> {
    const { id, organizationId } = begun;
    const actor = uploaderOf(begun);
    const description = importAudit(begun, 'import.record', actor);
    let refused = 0;
    await this.unitOfWork.runIfDue(description, scope, async () => {
      await this.lock(begun);
      refused = await this.imports.countRefused(id);
      const located = await this.locate(begun, batch);
      const drafts = await this.findings.withFormerIdentities(targetOf(begun), located.rows.map(draftOf));
      const outcomes = await this.record(actor, begun, drafts);
      const rows = [
        ...located.rows.map((row, index) => rowOf(row, drafts[index], outcomes[index], begun.dryRun)),
        ...located.refused,
      ].sort((one, other) => one.number - other.number);
      const stored = storedOf(rows, MAX_STORED_REFUSALS - refused);
      if (stored.length > 0) await this.results.addMany(id, organizationId, stored);
      const counts = countsOf(rows);
      refused += counts.refused ?? 0;
      await this.imports.advanceLocked(id, { rows: rows.length, ...progress, counts });
      this.unitOfWork.note({ metadata: { from: rows[0]?.number, to: rows.at(-1)?.number, ...counts } });
      return rows.length === 0 ? undefined : rows.length;
    });
    return refused;
  }

  /** The organization, then the import, in the order of requests that cancel it. */
  private async lock(begun: BegunImport): Promise<void> {
    const addsAssets = begun.unknownAssets === 'add' && !begun.dryRun;
    if (addsAssets) await this.assets.lockForAdding(begun.organizationId);
    else await this.organizations.lockForShare(scope, begun.organizationId);
    if (!(await this.imports.lockFor(begun, 'IN_PROGRESS'))) throw new ImportLostError();
  }

  /** Results on assets that the organization does not have are refused, or their assets are added. */
  private async locate(
    begun: BegunImport,
    batch: readonly BatchRow[],
  ): Promise<{ rows: Located[]; refused: NewResult[] }> {
    const { organizationId, assetValue, unknownAssets, dryRun } = begun;
    const hosts = new Set(batch.flatMap(({ result }) => (result?.host == null ? [] : [result.host])));
    const needsNamed = assetValue !== null && batch.some(({ result }) => result !== undefined && result.host === null);
    const assets: Map<string, ScannedAsset | DomainError> = await this.assets.find(organizationId, [...hosts]);
    const named = needsNamed ? await this.assets.findByValue(organizationId, assetValue) : undefined;
    if (named !== undefined && assetValue !== null) assets.set(assetValue, named);
    const unknown = [...hosts, ...(needsNamed ? [assetValue] : [])].filter((value) => !assets.has(value));
    if (unknownAssets === 'add' && unknown.length > 0) {
      const added = dryRun ? await this.previewAdding(begun, unknown) : await this.assets.add(organizationId, unknown);
      for (const [value, asset] of added) assets.set(value, asset);
    }
    const rows: Located[] = [];
    const refused: NewResult[] = [];
    for (const row of batch) {
      const value = row.result?.host ?? assetValue ?? '';
      const asset = row.result === undefined ? undefined : assets.get(value);
      if (row.result === undefined) refused.push(refusedRow(row, row.refusal, null));
      else if (asset === undefined) refused.push(refusedRow(row, unknownAsset(value), row.result));
      else if (asset instanceof DomainError) refused.push(refusedRow(row, asset.message, row.result));
      else rows.push({ asset, ...row });
    }
    return { rows, refused };
  }

  private async previewAdding(begun: BegunImport, hosts: readonly string[]) {
    const { id, organizationId } = begun;
    let earlier = this.previewed.get(begun);
    if (earlier === undefined) {
      // Also those of an attempt whose worker was lost.
      earlier = new Set(await this.assets.listMissing(organizationId, await this.results.listAssetValues(id)));
      this.previewed.set(begun, earlier);
    }
    return this.assets.preview(organizationId, hosts, earlier);
  }

  private async record(actor: Actor, begun: BegunImport, drafts: readonly ScannedDraft[]): Promise<ScannedOutcome[]> {
    if (drafts.length === 0) return [];
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

const draftOf = ({ result: { draft, finding }, asset }: Located): ScannedDraft => ({
  asset,
  text: () => textOfResult(finding, draft.location),
  // Last, because V8 makes a far larger object if fields follow those of another object.
  ...draft,
});

const unknownAsset = (value: string): string =>
  `${value} is not an asset of the organization, and no asset of it covers this host. ${
    recognizeAsset(value) === undefined
      ? `Add the URL of the service as an asset, such as http://${value}/.`
      : 'Add it, or import the file with unknown_assets=add.'
  }`;

const refusedRow = ({ number, line }: BatchRow, reason: string, result: ScannedResult | null): NewResult => ({
  number,
  line,
  result: 'refused',
  reason: reason.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, 1_000),
  findingId: null,
  title: result?.draft.title ?? null,
  assetValue: result?.host ?? null,
  scanner: result?.draft.scanner ?? null,
  fingerprint: null,
  seenAt: null,
});

const rowOf = (
  { number, line, asset }: Located,
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

/** Without the refusals after the first ones of the import. */
function storedOf(rows: readonly NewResult[], refusals: number): NewResult[] {
  let left = refusals;
  return rows.filter(({ result }) => result !== 'refused' || left-- > 0);
}

function countsOf(rows: readonly NewResult[]): Partial<Record<RowResult, number>> {
  const counts: Partial<Record<RowResult, number>> = {};
  for (const { result } of rows) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
