import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import { resultPlaceOf, serviceOfText } from '../../assets';
import { SightingsService } from '../../findings';
import { OrganizationsService } from '../../organizations';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';
import { importAudit, uploaderOf } from './import-audit';
import { ImportBatches, ImportLostError } from './import-batches';

const scope = everything('a worker runs the imports of all organizations');

const BATCH_SIZE = 500;

/**
 * Lists the open findings that the scanner of a file has seen before at the places of the file, and that the file no longer
 * has: of the same asset, host and port. They are offered for a test: that a scanner is silent does not close a finding.
 */
@Injectable()
export class MissingFindings {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly sightings: SightingsService,
    private readonly organizations: OrganizationsService,
    private readonly batches: ImportBatches,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** May run again after an interruption: findings that are listed are not listed twice. */
  async list(begun: BegunImport, signal: AbortSignal): Promise<void> {
    const assetValues = await this.results.listAssetValues(begun.id);
    const services = await this.results.listPlaces(begun.id);
    const places = new Set(services.flatMap((service) => [service, resultPlaceOf(service)?.host ?? service]));
    for (const scanner of await this.results.listScanners(begun.id)) {
      for (let after: number | null = 0; after !== null;) {
        signal.throwIfAborted();
        const page = await this.sightings.listOpenSeenBy(begun.organizationId, scanner, after, BATCH_SIZE);
        const known = await this.results.listAmong(
          begun.id,
          page.findings.flatMap(({ allIds }) => allIds),
        );
        const candidates = page.findings.filter(
          ({ allIds, assetValue, place }) =>
            assetValues.has(assetValue) && places.has(serviceOfText(place)) && !allIds.some((id) => known.has(id)),
        );
        const missing = [...new Map(candidates.map((finding) => [finding.id, finding])).values()];
        if (missing.length > 0)
          await this.batches.storing(begun, missing.length, () => this.save(begun, scanner, missing));
        after = page.last;
      }
    }
  }

  private async save(
    begun: BegunImport,
    scanner: string,
    missing: readonly { readonly id: number; readonly title: string; readonly assetValue: string }[],
  ): Promise<void> {
    const { id, organizationId } = begun;
    const actor = uploaderOf(begun);
    const description = importAudit(begun, 'import.record', actor);
    await this.unitOfWork.run(description, scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      if (!(await this.imports.lockFor(begun, 'IN_PROGRESS'))) throw new ImportLostError();
      const first = await this.results.nextNumber(id);
      const rows = missing.map((finding, index): NewResult => ({
        number: first + index,
        line: null,
        result: 'missing',
        reason: null,
        contradiction: null,
        findingId: finding.id,
        title: finding.title,
        assetValue: finding.assetValue,
        scanner,
        severity: null,
        fingerprint: null,
        seenAt: null,
        place: null,
      }));
      await this.results.addMany(id, organizationId, rows);
      await this.imports.advanceLocked(id, {
        rows: 0,
        bytesDone: begun.size,
        format: null,
        counts: { missing: rows.length },
      });
      this.unitOfWork.note({ metadata: { missing: rows.length } });
    });
  }
}
