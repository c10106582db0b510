import { Injectable } from '@nestjs/common';
import type { NewSite, Refusal, SignedEvidence } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Actor } from '../../platform/api/caller';
import { FindingsService, type LockedFinding, statusAfterTest } from '../findings';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import type { RetestResult } from './domain/retest-status';

export interface RetestVerdict {
  readonly result: RetestResult;
  readonly reason: string | null;
  readonly evidence: SignedEvidence | null;
  readonly newSite?: NewSite | null;
  readonly refusal?: Refusal | null;
  readonly byRefusal?: Retest['byRefusal'];
}

const MAX_COMMENT_LENGTH = 2_000;

/** Ends a retest with a verdict of the engine or of a person, and changes the status of the finding where that is allowed. */
@Injectable()
export class RetestEnding {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The caller has locked both, the finding first. */
  async end(
    actor: Actor,
    finding: LockedFinding,
    { id, uuid }: Retest,
    { result, reason, evidence, newSite, refusal, byRefusal }: RetestVerdict,
  ): Promise<void> {
    const { status: from } = finding;
    // What a test showed of a merged finding says nothing about its main one, and its own status waits for the separation.
    const to = finding.mergedInto === null ? statusAfterTest(result, from) : null;
    const by = byRefusal == null ? '' : ' by refusal';
    const comment = `Retest ${uuid}: ${result}${by}. ${reason ?? ''}`.trim().slice(0, MAX_COMMENT_LENGTH);
    if (to !== null) await this.findings.changeLocked(actor, finding, to, { comment });
    const judgedBy = actor.type === 'system' ? null : Number(actor.id);
    await this.retests.end(id, { status: 'finished', result, reason, evidence, judgedBy, newSite, refusal, byRefusal });
    this.unitOfWork.note({ metadata: { result, reason, from, to: to ?? from } });
  }
}
