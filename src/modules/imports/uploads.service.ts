import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { onViolation } from '../../platform/database/database-errors';
import { organizationSuspended } from '../../platform/database/organization-suspended';
import { Transactions } from '../../platform/database/transactions';
import type { StreamedBody } from '../../platform/http/streamed-body';
import { Work } from '../../platform/work/work';
import { OrganizationsService } from '../organizations';
import type { Import } from './data/import.entity';
import { ImportsRepository } from './data/imports.repository';
import { type NewImport, type Upload, UploadsRepository } from './data/uploads.repository';
import { importNotFound, tooManyUnfinishedImports, tooManyUploads, uploadAbandoned } from './domain/import.errors';
import { orThrow } from '../../kernel/or-throw';
import { ImportPlaces, type ImportTarget } from './import-places';

export const IMPORT_KIND = 'import.run';

/** Concurrent uploads per organization. */
const MAX_UPLOADS = 2;
export const MAX_UNFINISHED = 10;

const MEBIBYTE = 1_024 * 1_024;

/** The options of an import. */
export type ImportOptions = Omit<NewImport, 'organizationId' | 'eventId' | 'actorType' | 'actorId'>;

/**
 * Stores a file while it arrives, each part in its own transaction, so that a slow client does not hold a database connection.
 * Only a complete file becomes an import.
 */
@Injectable()
export class UploadsService {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly imports: ImportsRepository,
    private readonly places: ImportPlaces,
    private readonly organizations: OrganizationsService,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
    private readonly config: Config,
  ) {}

  async receive(caller: Caller, target: ImportTarget, options: ImportOptions, file: StreamedBody): Promise<Import> {
    const limits = {
      maxBytes: this.config.IMPORT_MAX_MEGABYTES * MEBIBYTE,
      graceMs: this.config.SLOW_UPLOAD_SECONDS * 1_000,
    };
    // The unit of work of the request begins its transaction when the whole file is stored.
    const upload = await this.transactions.outside(() =>
      this.begin(caller, target, options, () => file.requireSize(limits.maxBytes)),
    );
    let isCompleting = false;
    try {
      const { sha256, size } = await this.transactions.outside(() =>
        file.store(limits, (chunk, { number }) =>
          onViolation(this.uploads.addChunk(upload, number, chunk), { fk_import_chunks_import: uploadAbandoned }),
        ),
      );
      await this.organizations.lockForShare(caller.scope, upload.organizationId);
      isCompleting = true;
      await this.uploads.complete(upload, sha256);
      await this.work.enqueue({
        kind: IMPORT_KIND,
        reference: String(upload.id),
        organizationId: upload.organizationId,
      });
      this.unitOfWork.note({ resourceId: String(upload.id), metadata: { size, sha256: sha256.toString('hex') } });
      return orThrow(await this.imports.findOne(caller.scope, upload.id), importNotFound);
    } catch (error) {
      const removed = this.transactions.outside(() => this.uploads.remove(upload)).catch(() => undefined);
      // A completing transaction of the request has locked the upload, so the removal waits until that one is rolled back.
      if (!isCompleting) await removed;
      throw error;
    }
  }

  private async begin(
    caller: Caller,
    target: ImportTarget,
    options: ImportOptions,
    requireSize: () => void,
  ): Promise<Upload> {
    const place = await this.places.find(caller, target, options.beaconId);
    const { organizationId } = place;
    const {
      name,
      dryRun: dry_run,
      unknownAssets: unknown_assets,
      assetLabels: asset_labels,
      statedFormat: format,
      beaconId,
      testReplays,
    } = options;
    this.unitOfWork.note({
      organizationId,
      metadata: { name, format, dry_run, unknown_assets, asset_labels, beacon_id: beaconId, test_replays: testReplays },
    });
    const needsAdmin = testReplays || asset_labels.length > 0;
    caller.requireRole(needsAdmin ? 'admin' : 'member', organizationId);
    requireSize();
    const { type: actorType, id: actorId } = caller.actor;
    return this.transactions.run(async () => {
      const { suspendedAt } = await this.organizations.lockForCounting(caller.scope, organizationId);
      // Otherwise the end of the request would be refused, and the upload would keep its slot until it is removed.
      if (suspendedAt !== null) throw organizationSuspended();
      const { uploads, unfinished } = await this.uploads.countUnfinishedOfLocked(organizationId);
      if (uploads >= MAX_UPLOADS) throw tooManyUploads(MAX_UPLOADS);
      if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedImports(MAX_UNFINISHED);
      return this.uploads.add({ ...options, ...place, actorType, actorId });
    });
  }
}
