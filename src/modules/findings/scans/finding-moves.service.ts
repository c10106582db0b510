import { Injectable } from '@nestjs/common';
import { system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { OrganizationsService } from '../../organizations';
import { ChangesOfTotals } from '../changes/changes-of-totals';
import { AssetTotalsRepository } from '../changes/data/asset-totals.repository';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { mayBePartOf } from '../domain/merge';
import { priorityFactsOf, priorityOf } from '../domain/priority';
import { type ImportedFinding, MergedFindingsRepository } from './data/merged-findings.repository';
import { FindingMergesService } from './finding-merges.service';
import type { AssetOfFinding } from './seen-finding';

type MoveOutcome = 'moved' | 'merged' | 'left';

const scope = everything('the operator moves findings of all organizations');

/** Moves findings that imports assigned to the wrong asset to the right one, with their history. */
@Injectable()
export class FindingMovesService {
  constructor(
    private readonly merged: MergedFindingsRepository,
    private readonly merges: FindingMergesService,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  listOnUrls(organizationId: number, after: number, limit: number): Promise<ImportedFinding[]> {
    return this.merged.listOnUrls(organizationId, after, limit);
  }

  /** Call it before the findings are listed: nothing is recorded or merged until the transaction ends. */
  async lock(organizationId: number): Promise<void> {
    await this.organizations.lockForCounting(scope, organizationId);
  }

  /** If that asset already has the same finding, the two are merged, unless the merge would hide one. */
  async move(organizationId: number, id: number, to: AssetOfFinding): Promise<MoveOutcome> {
    const locked = await this.merged.lockByIds(organizationId, [id]);
    const finding = locked.find((one) => one.id === id);
    if (finding === undefined) return 'left';
    const onAsset = { ...finding, assetId: to.id, assetValue: to.value, assetTier: to.tier };
    const moved = { ...onAsset, priority: priorityOf(priorityFactsOf(onAsset)) };
    const twinId = await this.merged.findTwin(moved);
    if (twinId !== undefined) {
      const parts = await this.merged.lockByIds(organizationId, await this.merged.listParts(organizationId, [id]));
      const twins = await this.merged.lockByIds(organizationId, [twinId]);
      const twin = twins.find(({ mergedInto }) => mergedInto === null);
      const isPart = finding.mergedInto !== null || twin === undefined || twin.id === id;
      if (isPart || !mayBePartOf(finding.status, twin.status)) return 'left';
      const ofParts = parts.filter(({ mergedInto }) => mergedInto === id);
      await this.merges.save(system, twin, [finding], ofParts, `Imported on ${finding.assetValue} before. `);
      return 'merged';
    }
    await this.merged.saveAsset(moved);
    const totals = new ChangesOfTotals();
    if (finding.mergedInto === null) {
      totals.add(finding.assetId, finding, null);
      totals.add(to.id, null, moved);
    }
    await totals.save(this.totals, organizationId);
    const comment = `Moved from ${finding.assetValue} to ${to.value}, which is the asset at its place.`;
    await this.history.addNote(system, moved, comment);
    return 'moved';
  }
}
