import { Injectable } from '@nestjs/common';
import type { SignedEvidence } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Actor } from '../../platform/auth/caller';
import { FindingsService, type LockedFinding, statusAfterTest } from '../findings';
import type { Retest } from './data/retest.entity';
import { RetestsRepository } from './data/retests.repository';
import type { RetestResult } from './domain/retest-status';

export interface RetestVerdict {
  readonly result: RetestResult;
  readonly reason: string | null;
  readonly evidence: SignedEvidence | null;
}

const longestComment = 2_000;

/** What a verdict does, whoever gives it: to the retest, and to the finding as far as its status allows. */
@Injectable()
export class RetestEnding {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Both are locked, the finding first. */
  async end(
    actor: Actor,
    finding: LockedFinding,
    { id, uuid }: Retest,
    { result, reason, evidence }: RetestVerdict,
  ): Promise<void> {
    const { status: from } = finding;
    const to = statusAfterTest(result, from);
    const comment = `Retest ${uuid}: ${result}. ${reason ?? ''}`.trim().slice(0, longestComment);
    if (to !== null) await this.findings.changeLocked(actor, finding, to, { comment });
    await this.retests.end(id, { status: 'finished', result, reason, evidence });
    this.unitOfWork.note({ metadata: { result, reason, from, to: to ?? from } });
  }
}
