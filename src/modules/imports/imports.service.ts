import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { EventsService } from '../events';
import { UndoneScansService } from '../findings';
import { OrganizationsService } from '../organizations';
import { RetestsService } from '../retests';
import type { Import } from './data/import.entity';
import type { ShownResult } from './data/import-results.repository';
import { ImportsRepository } from './data/imports.repository';
import { dryRunNotUndone, findingsTouched, importNotFound, MAX_NAMED, rowsNeededToUndo } from './domain/import.errors';
import { cancelsImport, type RowResult, undoesImport } from './domain/import-status';
import type { ImportTarget } from './import-places';
import { ImportRows } from './import-rows';
import { IMPORT_KIND } from './uploads.service';

@Injectable()
export class ImportsService {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly rows: ImportRows,
    private readonly events: EventsService,
    private readonly organizations: OrganizationsService,
    private readonly undoneScans: UndoneScansService,
    private readonly retests: RetestsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @OwnerOf('import')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.imports.findOne(scope, Number(id)))?.organizationId;
  }

  async get(scope: Scope, id: number): Promise<Import> {
    return orThrow(await this.imports.findOne(scope, id), importNotFound);
  }

  /** Newest first. The imports of an organization include those of its events. */
  async list(scope: Scope, target: ImportTarget, page: Page): Promise<Slice<Import>> {
    if ('eventSlug' in target) {
      const { id, organizationId } = await this.events.get(scope, target.eventSlug);
      return this.imports.listForVisible(organizationId, id, page);
    }
    const { id } = await this.organizations.get(scope, target.organizationId);
    return this.imports.listForVisible(id, null, page);
  }

  async listFailed(scope: Scope, organizationId: number, since: Date, page: Page): Promise<Slice<Import>> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.imports.listForVisible(id, null, page, since);
  }

  async listRows(scope: Scope, id: number, result: RowResult | undefined, page: Page): Promise<Slice<ShownResult>> {
    return this.rows.listForVisible(await this.get(scope, id), result, page);
  }

  /** Locks the work before the import, in the same order as a worker that ends it. What was imported so far stays. */
  async cancel(caller: Caller, id: number): Promise<void> {
    await this.requireMember(caller, id);
    await this.work.cancel(IMPORT_KIND, String(id));
    const { status } = orThrow(await this.imports.lockOne(caller.scope, id), importNotFound);
    this.unitOfWork.note({ metadata: { from: status, to: 'CANCELED' } });
    if (cancelsImport(status)) await this.imports.end(id, 'CANCELED', null);
  }

  /** A worker undoes it. Refused if people have changed findings that the import created or reopened. */
  async undo(caller: Caller, id: number): Promise<Import> {
    const { organizationId, dryRun, created } = await this.requireMember(caller, id);
    await this.organizations.lockForShare(caller.scope, organizationId);
    const { status } = orThrow(await this.imports.lockOne(caller.scope, id), importNotFound);
    this.unitOfWork.note({ metadata: { from: status, to: 'UNDOING' } });
    if (dryRun) throw dryRunNotUndone();
    if (undoesImport(status)) {
      if (await this.imports.isWithoutRows(id)) throw rowsNeededToUndo();
      const touched = await this.touchedSince({ id, organizationId, created });
      if (touched.length > 0) throw findingsTouched(touched);
      await this.imports.startUndoing(id, caller.actor);
      await this.work.enqueue({ kind: IMPORT_KIND, reference: String(id), organizationId });
    }
    return this.get(caller.scope, id);
  }

  /** The findings that prevent undoing it: at most one more than an error names. */
  async listTouched(scope: Scope, id: number): Promise<number[]> {
    return this.touchedSince(await this.get(scope, id));
  }

  private async touchedSince({
    id,
    organizationId,
    created,
  }: Pick<Import, 'id' | 'organizationId' | 'created'>): Promise<number[]> {
    const tested = await this.retests.listTestedSince(organizationId, created);
    return this.undoneScans.listTouched(id, tested, MAX_NAMED + 1);
  }

  private async requireMember(caller: Caller, id: number): Promise<Import> {
    const found = await this.get(caller.scope, id);
    this.unitOfWork.note({ organizationId: found.organizationId });
    caller.requireRole('member', found.organizationId);
    return found;
  }
}
