import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/api/caller';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import type { Finding, LockedFinding } from './data/finding.entity';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';
import { changeOfTotals, isNoChange, type CountedFinding } from './domain/asset-totals';
import type { FindingStatus } from './domain/finding-status';

export interface TransitionDetails {
  readonly comment?: string | null;
  readonly until?: Date | null;
}

/** Writes down what has been decided: the finding, which is locked, then its history and its asset's totals, in this order. */
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
    const moved = { ...finding, status: to, previousStatus: finding.status, acceptedUntil: until };
    await Promise.all([
      this.findings.saveStatus(moved),
      this.addHistory(actor, moved, comment),
      this.updateTotals(finding, moved),
    ]);
    return moved;
  }

  /** The first entry of a history says who recorded the finding. */
  async recordCreated(actor: Actor, finding: Finding): Promise<void> {
    await Promise.all([this.addHistory(actor, finding, null), this.updateTotals(null, finding)]);
  }

  /** Something was done to it that is no move, and that its history shall tell. */
  async addNote(actor: Actor, finding: Finding, comment: string): Promise<void> {
    await this.addHistory(actor, { ...finding, previousStatus: finding.status }, comment);
  }

  /** Brings the totals of the asset up to date; `before` is null for a finding that was not on it. */
  async updateTotals(before: CountedFinding | null, { assetId, organizationId, ...after }: Finding): Promise<void> {
    const change = changeOfTotals(before, after);
    if (assetId === null || isNoChange(change)) return;
    await this.totals.add(assetId, organizationId, change);
  }

  private async addHistory(actor: Actor, finding: Finding, comment: string | null): Promise<void> {
    const { id, organizationId, status, previousStatus } = finding;
    await this.history.add({
      organizationId,
      findingId: id,
      status,
      previousStatus,
      actorType: actor.type,
      actorId: actor.id,
      comment,
    });
  }
}
