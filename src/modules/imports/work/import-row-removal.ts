import { Injectable } from '@nestjs/common';
import { system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { OrganizationsService } from '../../organizations';
import { ImportResultsRepository } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';

const scope = everything('a worker runs the imports of all organizations');

const BATCH_ROWS = 10_000;

/** Removes the rows of the oldest imports of an organization that stores too many. The numbers of the imports stay. */
@Injectable()
export class ImportRowRemoval {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Removes at least `needed` rows, if ended imports have that many. Returns how many were removed. */
  async makeRoom(organizationId: number, needed: number): Promise<number> {
    let removed = 0;
    while (removed < needed) {
      const count = await this.removeBatch(organizationId);
      if (count === undefined) break;
      removed += count;
    }
    return removed;
  }

  /** Each batch has an audit entry. An interrupted removal continues with the next import that needs room. */
  private removeBatch(organizationId: number): Promise<number | undefined> {
    const description = {
      actor: system,
      operation: 'import.remove_rows',
      resourceType: 'import',
      resourceId: '',
      organizationId,
    } as const;
    return this.unitOfWork.runIfDue(description, scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      const id = await this.imports.lockOldestWithRows(organizationId);
      if (id === undefined) return undefined;
      const removed = await this.results.removeSome(id, BATCH_ROWS);
      this.unitOfWork.note({ resourceId: String(id), metadata: { removed } });
      return removed;
    });
  }
}
