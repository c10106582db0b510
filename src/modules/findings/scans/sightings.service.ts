import { Injectable } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import type { Sighting } from '../data/finding-sighting.entity';
import { FindingSightingsRepository, type SeenBy } from './data/finding-sightings.repository';
import { FindingsRepository } from '../changes/data/findings.repository';
import { type SeenBefore, ScannedFindingsRepository } from './data/scanned-findings.repository';
import { identityInWords } from '../domain/scan-identity';

/** A sighting with the reason why it belongs to this finding. */
export interface ExplainedSighting extends Sighting {
  /** The parts of the identity; empty for findings that were recorded by hand without a check. */
  readonly identity: readonly string[];
}

@Injectable()
export class SightingsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly scanned: ScannedFindingsRepository,
    private readonly sightings: FindingSightingsRepository,
  ) {}

  /** Includes the sightings of findings that are merged into this one. */
  async list(scope: Scope, findingId: number, page: Page): Promise<Slice<ExplainedSighting>> {
    const finding = await this.findings.findOne(scope, findingId);
    if (finding === undefined) throw notFound('Finding');
    const all = [finding, ...(await this.findings.listPartsOfVisible(findingId))];
    const assetValues = new Map(all.map(({ id, assetValue }) => [id, assetValue]));
    const slice = await this.sightings.listForVisible([...assetValues.keys()], page);
    const items = slice.items.map((sighting) => explained(sighting, assetValues.get(sighting.findingId) ?? ''));
    return { ...slice, items };
  }

  /** The next open findings that these scanners have seen, in the order of their ids. `last` is null when there are no more. */
  async listOpenSeenBy(
    by: SeenBy,
    after: number,
    limit: number,
  ): Promise<{ readonly findings: SeenBefore[]; readonly last: number | null }> {
    const seen = await this.sightings.listSeenBy(by, after, limit);
    const findings = await this.scanned.listOpen(by.organizationId, seen);
    return { findings, last: seen.length < limit ? null : (seen.at(-1)?.findingId ?? null) };
  }
}

function explained(sighting: Sighting, assetValue: string): ExplainedSighting {
  const { scanner, ruleId, location, place, parameter, title } = sighting;
  if (ruleId === null) return { ...sighting, identity: [`Title: ${title}`, `Asset: ${assetValue}`] };
  if (place === null) return { ...sighting, identity: [`Check: ${ruleId}`, `Place: ${location ?? assetValue}`] };
  return { ...sighting, identity: identityInWords({ scanner, ruleId, place, parameter }) };
}
