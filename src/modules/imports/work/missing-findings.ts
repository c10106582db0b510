import { Injectable } from '@nestjs/common';
import { resultPlaceOf, serviceOfText } from '../../assets';
import { type SeenBefore, SightingsService } from '../../findings';
import type { Import } from '../data/import.entity';
import { ImportResultsRepository } from '../data/import-results.repository';

const BATCH_SIZE = 1_000;

/**
 * The open findings that the scanner of a file saw before on the same asset, host and port, but that the file does not have.
 * Users can retest them: a missing result does not close a finding. They are not stored as rows, because for files with different
 * findings they would outnumber the rows of the files.
 */
@Injectable()
export class MissingFindings {
  constructor(
    private readonly results: ImportResultsRepository,
    private readonly sightings: SightingsService,
  ) {}

  /** Ordered by the id of the seen finding, and only those after `after`. */
  async *list({ id, organizationId, finished }: MissingFrom, after = 0): AsyncGenerator<SeenBefore> {
    const assetValues = await this.results.listAssetValues(id);
    const services = await this.results.listPlaces(id);
    const places = new Set(services.flatMap((service) => [service, resultPlaceOf(service)?.host ?? service]));
    const by = { organizationId, scanners: await this.results.listScanners(id), until: finished };
    const listed = new Set<number>();
    for (let last: number | null = after; last !== null && assetValues.size > 0;) {
      const page = await this.sightings.listOpenSeenBy(by, last, BATCH_SIZE);
      const known = await this.results.listAmong(
        id,
        page.findings.flatMap(({ allIds }) => allIds),
      );
      for (const finding of page.findings) {
        const { allIds, assetValue, place } = finding;
        const isMissing =
          assetValues.has(assetValue) && places.has(serviceOfText(place)) && !allIds.some((one) => known.has(one));
        if (!isMissing || listed.has(finding.id)) continue;
        listed.add(finding.id);
        yield finding;
      }
      last = page.last;
    }
  }

  async count(one: MissingFrom, signal?: AbortSignal, most = Infinity): Promise<number> {
    let count = 0;
    const all = this.list(one);
    while (count < most && (await all.next()).done !== true) {
      signal?.throwIfAborted();
      count += 1;
    }
    return count;
  }
}

type MissingFrom = Pick<Import, 'id' | 'organizationId' | 'finished'>;
