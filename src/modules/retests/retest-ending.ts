import { Injectable } from '@nestjs/common';
import type { NewSite, Refusal, SignedEvidence } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Actor } from '../../platform/api/caller';
import { SecondApproval } from '../approvals';
import { type Decision, FindingsService, type LockedFinding, seenOf, statusAfterTest } from '../findings';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import type { RetestResult } from './domain/retest-status';

export interface RetestVerdict {
  readonly result: RetestResult;
  readonly reason: string | null;
  readonly evidence: SignedEvidence | null;
  readonly newSite?: NewSite | null;
  /** When the response arrived that decided. */
  readonly decided?: Date | null;
  readonly refusal?: Refusal | null;
  readonly byRefusal?: Retest['byRefusal'];
  /** The account whose session was not proved. */
  readonly unproved?: number | null;
}

const MAX_COMMENT_LENGTH = 2_000;

/** Ends a retest with a verdict of the engine or of a person, and changes the status of the finding where that is allowed. */
@Injectable()
export class RetestEnding {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The caller has locked both, the finding first. */
  async end(
    actor: Actor,
    finding: LockedFinding,
    { id, uuid }: Retest,
    { result, reason, evidence, newSite, decided = null, refusal, byRefusal, unproved }: RetestVerdict,
  ): Promise<Decision | null> {
    const { status: from } = finding;
    const by = byRefusal == null ? '' : ' by refusal';
    const comment = `Retest ${uuid}: ${result}${by}. ${reason ?? ''}`.trim().slice(0, MAX_COMMENT_LENGTH);
    // What a test showed of a merged finding says nothing about its main one, and its own status waits for the separation.
    const isDecisive = finding.mergedInto === null;
    const judgedBy = actor.type === 'system' ? null : Number(actor.id);
    if (judgedBy !== null)
      await this.approval.require(actor, {
        organizationId: finding.organizationId,
        kind: 'retest.verdict',
        payload: { finding_id: finding.id, retest: uuid, result, comment: reason },
        seen: seenOf(finding),
        summary:
          `Verdict of the retest of finding ${finding.id}, "${finding.title}": ${result}. ${reason ?? ''}`.trim(),
      });
    let decision: Decision | null = null;
    if (judgedBy === null && decided !== null && (result === 'fixed' || result === 'still_vulnerable'))
      decision = await this.findings.applyTest(actor, finding, { result, at: decided, isDecisive }, comment);
    const stated = judgedBy !== null && isDecisive ? statusAfterTest(result, from) : null;
    if (stated !== null) await this.findings.changeLocked(actor, finding, stated, { comment });
    await this.retests.end(id, {
      status: 'finished',
      result,
      reason,
      evidence,
      judgedBy,
      newSite,
      decided,
      refusal,
      byRefusal,
      unproved,
    });
    const { outdatedBy = null } = decision ?? {};
    const to = stated ?? decision?.status ?? from;
    this.unitOfWork.note({
      metadata: { result, reason, from, to, ...(outdatedBy !== null && { outdated_by: outdatedBy }) },
    });
    return decision;
  }
}
