import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { UnreadableFileError } from '../../../scanner-files';
import type { BegunImport } from '../data/import.entity';
import { ImportsRepository } from '../data/imports.repository';
import { isImportOver } from '../domain/import-status';
import { IMPORT_KIND } from '../uploads.service';
import { ImportBatches } from './import-batches';
import { ImportQuestions } from './import-questions';
import { ImportReading } from './import-reading';
import { ImportTests } from './import-tests';
import { ImportStoppedError } from './import-stopped-error';
import { ImportUndoing } from './import-undoing';
import { MissingFindings } from './missing-findings';

const scope = everything('a worker runs the imports of all organizations');

/**
 * Reads the file of an import, and records its results in batches. Each batch commits together with the number of its last row.
 */
@Injectable()
@WorkKind(IMPORT_KIND)
export class ImportRun implements WorkHandler {
  /** Low, because imports read and write all the time, unlike tests, which wait for their targets. */
  readonly maxConcurrent = 3;
  /** An organization gets one thread, however many workers there are. */
  readonly isOnePerOrganization = true;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly reading: ImportReading,
    private readonly questions: ImportQuestions,
    private readonly batches: ImportBatches,
    private readonly missing: MissingFindings,
    private readonly undoing: ImportUndoing,
    private readonly tests: ImportTests,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const begun = await this.imports.begin(claim);
    // The import is over, or was deleted with its organization: only the claim is left to complete.
    if (begun === undefined) return this.completion(claim, 'import.finish', async () => undefined);
    if (begun.status === 'UNDOING') return this.undo(claim, begun, signal);
    const asked = await this.questions.find(begun, signal);
    const questions = asked.questions.length;
    if (questions > 0)
      return this.completion(claim, 'import.ask', () => this.questions.ask(begun, asked), { questions });
    try {
      await this.read(begun, signal);
      await this.batches.saveMissing(begun, await this.missing.count(begun, signal));
      await this.tests.request(begun, signal);
      return this.ending(claim, null);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UnreadableFileError) && !(error instanceof ImportStoppedError)) throw error;
      // Also test the findings from before the line that cannot be read.
      await this.tests.request(begun, signal);
      return this.ending(claim, error.message);
    }
  }

  abandon(claim: Claim, reason: string): Completion {
    return this.ending(claim, 'It could not be completed because of an internal error. Import the file again.', reason);
  }

  private async read(begun: BegunImport, signal: AbortSignal): Promise<void> {
    const reading = this.reading.of(begun);
    for await (const rows of reading.batches(signal)) await this.batches.save(begun, rows, reading.progress());
    await this.batches.save(begun, [], reading.progress());
  }

  private async undo(claim: Claim, begun: BegunImport, signal: AbortSignal): Promise<Completion> {
    await this.tests.withdraw(begun);
    await this.undoing.run(begun, signal);
    return this.completion(claim, 'import.undo_finish', async () => {
      const found = await this.imports.lockOne(scope, begun.id);
      if (found?.status !== 'UNDOING') return;
      const kept = await this.undoing.countKept(begun.id);
      await this.imports.endUndoing(begun.id, kept);
      this.unitOfWork.note({ metadata: { removed: found.removed, kept } });
    });
  }

  private ending(claim: Claim, error: string | null, reason?: string): Completion {
    return this.completion(
      claim,
      'import.finish',
      async () => {
        const id = Number(claim.reference);
        const found = await this.imports.lockOne(scope, id);
        if (found === undefined || isImportOver(found.status)) return;
        const status = error === null ? 'FINISHED' : 'ERROR';
        const isKept = found.dryRun && status === 'FINISHED';
        await this.imports.end(id, status, error, isKept);
        if (isKept) await this.reading.keep(id);
        if (reason !== undefined) await this.tests.withdrawApprovals(id);
        const { rowsNew, rowsSeenAgain, rowsReopened, rowsUnchanged, rowsRefused, rowsMissing } = found;
        this.unitOfWork.note({
          metadata: {
            status,
            error,
            new: rowsNew,
            seen_again: rowsSeenAgain,
            reopened: rowsReopened,
            unchanged: rowsUnchanged,
            refused: rowsRefused,
            missing: rowsMissing,
          },
        });
      },
      reason === undefined ? {} : { reason },
    );
  }

  private completion(
    claim: Claim,
    operation: string,
    apply: () => Promise<void>,
    metadata: Record<string, unknown> = {},
  ): Completion {
    return { audit: workAudit(claim, { operation, resourceType: 'import', metadata }), apply };
  }
}
