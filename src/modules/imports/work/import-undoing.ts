import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import { UndoneScansService } from '../../findings';
import { OrganizationsService } from '../../organizations';
import { RetestsService } from '../../retests';
import type { BegunImport } from '../data/import.entity';
import { ImportProposalsRepository } from '../data/import-proposals.repository';
import { ImportResultsRepository } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';
import { importAudit, undoerOf } from './import-audit';
import { ImportLostError } from './import-batches';

const scope = everything('a worker runs the imports of all organizations');

const BATCH_FINDINGS = 250;

/** Undoes an import in batches. It continues after an interruption, because each batch commits what it has undone. */
@Injectable()
export class ImportUndoing {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly proposals: ImportProposalsRepository,
    private readonly undoneScans: UndoneScansService,
    private readonly retests: RetestsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** How many findings keep their sightings. */
  countKept(id: number): Promise<number> {
    return this.undoneScans.countKept(id);
  }

  async run(begun: BegunImport, signal: AbortSignal): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      signal.throwIfAborted();
      after = await this.undoBatch(begun, after);
    }
  }

  /** Returns the last finding of the batch; undefined when nothing is left to undo. */
  private undoBatch(begun: BegunImport, after: number): Promise<number | undefined> {
    const { id, organizationId, eventId, created } = begun;
    const actor = undoerOf(begun);
    const description = importAudit(begun, 'import.undo_record', actor);
    return this.unitOfWork.runIfDue(description, scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      if (!(await this.imports.lockFor(begun, 'UNDOING'))) throw new ImportLostError();
      const tested = await this.retests.listTestedSince(organizationId, created);
      const next = { after, limit: BATCH_FINDINGS };
      const batch = await this.undoneScans.undoSome(actor, { organizationId, eventId, importId: id }, next, {
        tested,
        alsoIn: async (findingIds) => {
          const others = await this.results.listAlsoIn(id, findingIds);
          if (others.size > 0) await this.proposals.copyTo(id, [...new Set(others.values())]);
          return others;
        },
      });
      if (batch.last === null) return undefined;
      await this.imports.countRemoved(id, batch.removed);
      this.unitOfWork.note({ metadata: { removed: batch.removed } });
      return batch.last;
    });
  }
}
