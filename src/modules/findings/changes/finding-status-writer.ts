import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import type { LockedFinding } from '../data/finding.entity';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';
import { changeOfTotals, isNoChange } from '../domain/asset-totals';
import type { FindingStatus } from '../domain/finding-status';

export interface TransitionDetails {
  readonly comment?: string | null;
  readonly until?: Date | null;
}

/** Writes a transition: the locked finding, then its history and the totals of its asset, always in this order. */
@Injectable()
export class FindingStatusWriter {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
  ) {}

  async apply(
    actor: Actor,
    finding: LockedFinding,
    to: FindingStatus,
    details: TransitionDetails = {},
  ): Promise<LockedFinding> {
    const { comment = null, until = null } = details;
    const changed = { ...finding, status: to, previousStatus: finding.status, acceptedUntil: until };
    await Promise.all([
      this.findings.saveStatus(changed),
      this.history.add(actor, changed, comment),
      this.updateTotals(finding, changed),
    ]);
    return changed;
  }

  private async updateTotals(
    before: LockedFinding,
    { assetId, organizationId, ...after }: LockedFinding,
  ): Promise<void> {
    const change = changeOfTotals(before, after);
    if (assetId === null || isNoChange(change)) return;
    await this.totals.add(assetId, organizationId, change);
  }
}
