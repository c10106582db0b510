import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { TenantTurns } from '../../platform/work/tenant-turns';
import { Scheduled } from '../../platform/work/work-handler';
import { Work } from '../../platform/work/work';
import { OrganizationsService } from '../organizations';
import type { Import } from './data/import.entity';
import { ImportsRepository } from './data/imports.repository';
import { KeptFilesRepository } from './data/kept-files.repository';
import { UploadsRepository } from './data/uploads.repository';
import { fileNotKept, importNotFound, tooManyUnfinishedImports } from './domain/import.errors';
import { IMPORT_KIND, MAX_UNFINISHED } from './uploads.service';

const removal = everything('the files of all organizations are removed');

/** Imports the file of a dry run without a second upload. */
@Injectable()
export class KeptFilesService {
  constructor(
    private readonly files: KeptFilesRepository,
    private readonly imports: ImportsRepository,
    private readonly uploads: UploadsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
    private readonly turns: TenantTurns,
  ) {}

  /** Uses the options of the dry run. The new import takes the file over, so a second one is refused. */
  async importFile(caller: Caller, dryRunId: number): Promise<Import> {
    const { organizationId, testReplays, assetLabels } = orThrow(
      await this.imports.findOne(caller.scope, dryRunId),
      importNotFound,
    );
    this.unitOfWork.note({ organizationId, metadata: { dry_run_id: dryRunId } });
    caller.requireRole(testReplays || assetLabels.length > 0 ? 'admin' : 'member', organizationId);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    const { unfinished } = await this.uploads.countUnfinishedOfLocked(organizationId);
    if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedImports(MAX_UNFINISHED);
    const upload = orThrow(await this.files.takeOver(organizationId, dryRunId, caller.actor), fileNotKept);
    await this.uploads.complete(upload, upload.sha256);
    await this.work.enqueue({ kind: IMPORT_KIND, reference: String(upload.id), organizationId });
    this.unitOfWork.note({ resourceId: String(upload.id) });
    return orThrow(await this.imports.findOne(caller.scope, upload.id), importNotFound);
  }

  @Scheduled({ name: 'imports.remove_kept_files', everySeconds: 60 })
  async removeExpired(): Promise<void> {
    await this.turns.sweep('imports.remove_kept_files', removal, (part) => this.files.removeExpired(part));
  }

  /** Removes everything that killed processes left of their uploads. */
  @Scheduled({ name: 'imports.remove_abandoned', everySeconds: 60 })
  async removeAbandoned(): Promise<void> {
    await this.turns.sweep('imports.remove_abandoned', removal, (part) => this.uploads.removeAbandoned(part));
  }
}
