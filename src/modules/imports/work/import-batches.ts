import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import { isLimitOf, storedLimitOf } from '../../../platform/database/database-errors';
import type { ScannerFormat } from '../../../scanner-files';
import { ScannedAssetsService } from '../../assets';
import { OrganizationsService } from '../../organizations';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';
import { MAX_REFUSED, MAX_STORED_REFUSALS, type RowResult } from '../domain/import-status';
import { BatchLocation, type BatchRow } from './batch-location';
import { BatchRecording } from './batch-recording';
import { importAudit, uploaderOf } from './import-audit';
import { ImportRowRemoval } from './import-row-removal';
import { ImportStoppedError, tooManyRefused } from './import-stopped-error';

/** How far the file was read. */
export interface ReadProgress {
  readonly bytesDone: number;
  readonly format: ScannerFormat | null;
  readonly ignoredColumns: readonly string[];
}

/** Thrown if another attempt runs the import, or if it is over. */
export class ImportLostError extends Error {}

const scope = everything('a worker runs the imports of all organizations');

/** Records a batch of rows with their results and the progress of the import, all or nothing. */
@Injectable()
export class ImportBatches {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly assets: ScannedAssetsService,
    private readonly location: BatchLocation,
    private readonly recording: BatchRecording,
    private readonly organizations: OrganizationsService,
    private readonly removal: ImportRowRemoval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Throws an ImportStoppedError if the import must not continue. */
  async save(begun: BegunImport, batch: readonly BatchRow[], progress: ReadProgress): Promise<void> {
    const refused = await this.storing(begun, batch.length, () => this.saveRows(begun, batch, progress));
    if (refused > MAX_REFUSED) throw tooManyRefused(batch.at(-1)?.line);
  }

  /** Safe to run again after an interruption. */
  async saveMissing(begun: BegunImport, count: number): Promise<void> {
    const description = importAudit(begun, 'import.record', uploaderOf(begun));
    await this.unitOfWork.runIfDue(description, scope, async () => {
      await this.lock(begun);
      if (!(await this.imports.saveMissing(begun.id, count))) return undefined;
      this.unitOfWork.note({ metadata: { missing: count } });
      return count;
    });
  }

  /** Removes older rows if the organization stores too many. Any other limit ends the import. */
  private async storing<T>(begun: BegunImport, rows: number, store: () => Promise<T>): Promise<T> {
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

  /** Returns how many rows of the import have been refused so far. */
  private async saveRows(begun: BegunImport, batch: readonly BatchRow[], progress: ReadProgress): Promise<number> {
    const { id, organizationId } = begun;
    const actor = uploaderOf(begun);
    const description = importAudit(begun, 'import.record', actor);
    let refused = 0;
    await this.unitOfWork.runIfDue(description, scope, async () => {
      await this.lock(begun);
      refused = await this.imports.countRefused(id);
      const located = await this.location.locate(begun, batch);
      const recorded = await this.recording.record(actor, begun, located.rows);
      const rows = [...recorded, ...located.refused].sort((one, other) => one.number - other.number);
      const stored = storedOf(rows, MAX_STORED_REFUSALS - refused);
      if (stored.length > 0) await this.results.addMany(id, organizationId, stored);
      const counts = countsOf(rows);
      refused += counts.refused ?? 0;
      const contradicting = rows.filter(({ contradiction }) => contradiction !== null).length;
      await this.imports.advanceLocked(id, { rows: rows.length, ...progress, counts, contradicting });
      this.unitOfWork.note({ metadata: { from: rows[0]?.number, to: rows.at(-1)?.number, ...counts } });
      return rows.length === 0 ? undefined : rows.length;
    });
    return refused;
  }

  /** Locks the organization, then the import, in the same order as requests that cancel it. */
  private async lock(begun: BegunImport): Promise<void> {
    const adds = begun.unknownAssets === 'add' || begun.questions?.some(({ answer }) => answer === 'add') === true;
    if (adds && !begun.dryRun) await this.assets.lockForAdding(begun.organizationId);
    else await this.organizations.lockForShare(scope, begun.organizationId);
    if (!(await this.imports.lockFor(begun, 'IN_PROGRESS'))) throw new ImportLostError();
  }
}

/** Leaves out refusals beyond the number that is stored per import. */
function storedOf(rows: readonly NewResult[], refusals: number): NewResult[] {
  let left = refusals;
  return rows.filter(({ result }) => result !== 'refused' || left-- > 0);
}

function countsOf(rows: readonly NewResult[]): Partial<Record<RowResult, number>> {
  const counts: Partial<Record<RowResult, number>> = {};
  for (const { result } of rows) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
