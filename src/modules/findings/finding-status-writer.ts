import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/api/caller';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import type { Finding, LockedFinding } from './data/finding.entity';
import type { FindingHistory } from './data/finding-history.entity';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';
import { changeOfTotals, isNoChange, type CountedFinding } from './domain/asset-totals';
import type { FindingStatus } from './domain/finding-status';

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
      this.addHistory(actor, changed, comment),
      this.updateTotals(finding, changed),
    ]);
    return changed;
  }

  /** The first history entry names the actor that recorded the finding. */
  async recordCreated(actor: Actor, finding: Finding): Promise<void> {
    await Promise.all([this.addHistory(actor, finding, null), this.updateTotals(null, finding)]);
  }

  /** Adds a history entry for a change that is not a transition. */
  async addNote(actor: Actor, finding: Finding, comment: string): Promise<void> {
    await this.addHistory(actor, { ...finding, previousStatus: finding.status }, comment);
  }

  /** Adds what a person has written about the finding. */
  addComment(actor: Actor, finding: Finding, comment: string): Promise<FindingHistory> {
    return this.addHistory(actor, { ...finding, previousStatus: finding.status }, comment, true);
  }

  /** Updates the totals of the asset. `before` is null if the finding was not on the asset. */
  async updateTotals(before: CountedFinding | null, { assetId, organizationId, ...after }: Finding): Promise<void> {
    const change = changeOfTotals(before, after);
    if (assetId === null || isNoChange(change)) return;
    await this.totals.add(assetId, organizationId, change);
  }

  private addHistory(
    actor: Actor,
    finding: Finding,
    comment: string | null,
    isComment = false,
  ): Promise<FindingHistory> {
    const { id, organizationId, status, previousStatus } = finding;
    return this.history.add({
      organizationId,
      findingId: id,
      status,
      previousStatus,
      actorType: actor.type,
      actorId: actor.id,
      comment,
      isComment,
    });
  }
}
