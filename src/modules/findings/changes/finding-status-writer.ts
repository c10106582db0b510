import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { Actor } from '../../../platform/api/caller';
import { SecondApproval } from '../../approvals';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import type { LockedFinding } from '../data/finding.entity';
import { FindingHistoryRepository, TERM_RENEWED } from './data/finding-history.repository';
import { FindingSlaRepository } from './data/finding-sla.repository';
import { FindingsRepository } from './data/findings.repository';
import { changeOfTotals, isNoChange } from '../domain/asset-totals';
import { statusProposal } from '../domain/approvable';
import { type FindingStatus, isDismissed } from '../domain/finding-status';
import { type Decision, decideObservation, isStatement, type Knowledge, renewsTerm } from '../domain/observation';
import type { VexJustification } from '../domain/vex-justification';
import { defaultSla, renewedTerm } from '../domain/sla';

export interface TransitionDetails {
  readonly comment?: string | null;
  readonly until?: Date | null;
  readonly justification?: VexJustification | null;
}

/** The result of a test of a finding, and when the deciding response arrived. */
export interface ShownByTest {
  readonly result: 'fixed' | 'still_vulnerable';
  readonly at: Date;
  /** Whether it says something about the finding itself: it is not merged into another. */
  readonly isDecisive: boolean;
}

/** Writes a transition: first the locked finding, then its history, then the totals of its asset. */
@Injectable()
export class FindingStatusWriter {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly slas: FindingSlaRepository,
    private readonly approval: SecondApproval,
    private readonly clock: Clock,
  ) {}

  /** Applies a transition by a person, or by a date that has passed. */
  async apply(
    actor: Actor,
    finding: LockedFinding,
    to: FindingStatus,
    details: TransitionDetails = {},
  ): Promise<LockedFinding> {
    if (isDismissed(to)) {
      const { comment = null, until = null, justification = null } = details;
      const payload = { status: to, comment, until: until?.toISOString() ?? null, justification };
      await this.approval.require(actor, statusProposal(finding, payload));
    }
    const isStated = actor.type !== 'system' && isStatement(finding.status, to);
    const isRenewed = renewsTerm(await this.knowledgeOf(finding), to);
    return this.write(actor, finding, to, { ...details, isStated, isRenewed });
  }

  /** Applies the result of a test, unless something newer is known. */
  async applyTest(actor: Actor, finding: LockedFinding, shown: ShownByTest, comment: string): Promise<Decision> {
    const { result: kind, at, isDecisive } = shown;
    const decision = decideObservation(await this.knowledgeOf(finding), { kind, at });
    const isRenewed = decision.renewsTerm;
    if (isDecisive && decision.status !== finding.status)
      await this.write(actor, finding, decision.status, { comment, isStated: false, isRenewed, decided: at });
    if (kind === 'fixed') await this.findings.saveFixed(finding.id, at);
    return isDecisive ? decision : { ...decision, status: finding.status };
  }

  private async knowledgeOf(finding: LockedFinding): Promise<Knowledge> {
    const [known] = (await this.history.listKnowledge([finding])).values();
    if (known === undefined) throw new Error('Nothing is known of a finding.');
    return known;
  }

  private async write(
    actor: Actor,
    finding: LockedFinding,
    to: FindingStatus,
    details: TransitionDetails & { readonly isStated: boolean; readonly isRenewed: boolean; readonly decided?: Date },
  ): Promise<LockedFinding> {
    const { comment = null, until = null, justification, isStated, isRenewed, decided } = details;
    const term = isRenewed ? await this.renewedTermOf(finding) : {};
    const changed = { ...finding, ...term, status: to, previousStatus: finding.status, acceptedUntil: until };
    await Promise.all([
      this.findings.saveStatus(changed, isStated),
      this.history.add(actor, changed, comment, { decided, justification }),
      this.updateTotals(finding, changed),
    ]);
    await this.history.addDueDate(finding, changed, TERM_RENEWED);
    return changed;
  }

  private async renewedTermOf(finding: LockedFinding) {
    const sla = (await this.slas.findOfVisible(finding.organizationId)) ?? defaultSla;
    return renewedTerm(sla, finding, this.clock.now());
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
