import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid-v7';
import { system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { RESULT_EFFECTS } from '../../../kernel/result-effects';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { FindingsService, type LockedFinding, testOfFinding } from '../../findings';
import type { Retest } from '../data/retest.entity';
import { RetestsRepository } from '../data/retests.repository';
import { KEPT_OF_FINDING } from '../domain/retest-status';
import { RetestEnding } from '../retest-ending';
import { SECOND_LOOK_KIND, SecondLooks } from '../second-looks.service';
import { VerdictMetrics } from '../verdict-metrics';
import { NOT_SIGNED, RetestTest, type TestOutcome } from './retest-test';

const scope = everything('a second look runs for the organization of its retest');

const CHANGED = 'The finding was changed or tested since.';

/**
 * Looks at a finding once more, hours after its retest was `fixed`, unless a later retest has decided meanwhile. Only `still_vulnerable` changes the finding.
 */
@Injectable()
@WorkKind(SECOND_LOOK_KIND)
export class SecondLookRun implements WorkHandler {
  readonly maxConcurrent = 2;

  constructor(
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly test: RetestTest,
    private readonly looks: SecondLooks,
    private readonly ending: RetestEnding,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: VerdictMetrics,
    private readonly clock: Clock,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const retest = await this.retests.findOne(scope, claim.reference);
    if (retest === undefined || !(await this.isStillFixed(retest)))
      return this.completion(claim, (_finding, first) => this.leave(first, CHANGED));
    const key = await this.test.signingKey();
    if (key === null) return this.completion(claim, (_finding, first) => this.leave(first, NOT_SIGNED));
    const look = { ...retest, uuid: uuidV7(this.clock.now().getTime()) };
    const outcome = await this.test.run(look, claim, key, signal);
    return this.completion(claim, (finding, first) => this.store(claim, finding, first, { look, outcome }));
  }

  abandon(claim: Claim, error: string): Completion {
    const reason = `It was tried ${claim.attempt} times and did not finish because of an internal error.`;
    return this.completion(claim, (_finding, first) => this.leave(first, reason), { error });
  }

  private async store(
    claim: Claim,
    finding: LockedFinding,
    first: Retest,
    { look, outcome }: { look: Retest; outcome: TestOutcome },
  ): Promise<void> {
    const isSame =
      finding.assetId === claim.assetId && isDeepStrictEqual(finding.checkDefinition, first.checkDefinition);
    if (!isSame || finding.mergedInto !== null || !(await this.isStillFixed(first))) return this.leave(first, CHANGED);
    const { result, reason, evidence, unproved } = outcome;
    const wasTested = evidence !== null;
    await this.retests.endSecondLook(first.id, { result: wasTested ? result : null, reason, unproved });
    this.unitOfWork.note({ metadata: { result, reason } });
    if (!wasTested && outcome.isBeaconLost !== true) return;
    const { check } = testOfFinding(first) ?? {};
    if (check !== undefined) this.unitOfWork.afterCommit(() => this.metrics.count('retest', check, result));
    if (result === 'still_vulnerable') return this.contradict(finding, first, { look, outcome });
    if (result === 'fixed' && outcome.decided != null)
      await this.findings.applyTest(system, finding, { result, at: outcome.decided, isDecisive: true }, '');
    if (RESULT_EFFECTS[result].afterSecondLook === 'once_more' && first.secondLookFinished === null)
      await this.looks.plan(finding, first, claim);
  }

  /** The look becomes a retest of its own, which reopens the finding. */
  private async contradict(
    finding: LockedFinding,
    first: Retest,
    { look, outcome }: { look: Retest; outcome: TestOutcome },
  ): Promise<void> {
    const reason = `The retest ${first.uuid} was fixed, and a second look found: ${outcome.reason ?? ''}`;
    await this.retests.removeOld(finding.id, KEPT_OF_FINDING);
    await this.retests.add(look);
    const retest = await this.retests.begin(look.uuid);
    if (retest === undefined) throw new Error('the retest was added in this transaction');
    const decision = await this.ending.end(system, finding, retest, { ...outcome, reason });
    if (decision?.outdatedBy == null) await this.test.keepBaseline(retest, outcome);
    const at = outcome.decided;
    await this.findings.saveVerification(finding, { result: 'confirmed', reason }, { waits: true, at });
  }

  /** Whether the retest is the last result of a resolved finding whose status has not changed since. */
  private async isStillFixed(retest: Retest): Promise<boolean> {
    const { findingId: id, organizationId, result, finished } = retest;
    return (
      result === 'fixed' &&
      finished !== null &&
      (await this.retests.isLastWordOnFinding(retest)) &&
      (await this.findings.isResolvedSince({ id, organizationId }, finished))
    );
  }

  private async leave({ id }: Retest, reason: string): Promise<void> {
    await this.retests.endSecondLook(id, { result: null, reason });
    this.unitOfWork.note({ metadata: { reason } });
  }

  /** In the order of locks of every test: the finding first. */
  private completion(
    claim: Claim,
    write: (finding: LockedFinding, first: Retest) => Promise<void>,
    metadata?: Record<string, unknown>,
  ): Completion {
    const { reference } = claim;
    return {
      audit: workAudit(claim, { operation: 'retest.second_look', resourceType: 'retest', metadata }),
      apply: async () => {
        const known = await this.retests.findOne(scope, reference);
        if (known === undefined) return;
        this.unitOfWork.note({ metadata: { finding_id: known.findingId } });
        const finding = await this.findings.lock(scope, known.findingId);
        const first = await this.retests.lockOne(scope, reference);
        if (first !== undefined) await write(finding, first);
      },
    };
  }
}
