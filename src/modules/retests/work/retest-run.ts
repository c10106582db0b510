import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { RESULT_EFFECTS } from '../../../kernel/result-effects';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { FindingsService, type FindingVerification, type LockedFinding, testOfFinding } from '../../findings';
import type { Retest } from '../data/retest.entity';
import { RetestsRepository } from '../data/retests.repository';
import { isRetestOver } from '../domain/retest-status';
import { RetestEnding } from '../retest-ending';
import { RETEST_KIND } from '../retests.service';
import { SecondLooks } from '../second-looks.service';
import { VerdictMetrics } from '../verdict-metrics';
import { NOT_SIGNED, RetestTest, type TestOutcome } from './retest-test';

const scope = everything('a retest runs for the organization that started it');

const CHECK_REPLACED =
  'The check of the finding was replaced during the retest, so the result was dropped. Start it again.';

const ASSET_GONE =
  'The asset was deleted, or the finding was moved to another asset, during the retest, so the result was dropped.';

/** `fixed` does not change it, because the weakness was there. A result that decides nothing replaces no earlier one. */
export function verificationOf(
  { result, reason }: Pick<TestOutcome, 'result' | 'reason'>,
  finding: Pick<LockedFinding, 'verification'>,
): FindingVerification | null {
  if (result === 'still_vulnerable') return { result: 'confirmed', reason: reason ?? '' };
  if (result === 'fixed' || finding.verification !== 'untested') return null;
  return { result: 'inconclusive', reason: reason ?? '' };
}

/** Runs the check of a finding again on its target and stores the result. */
@Injectable()
@WorkKind(RETEST_KIND)
export class RetestRun implements WorkHandler {
  constructor(
    private readonly retests: RetestsRepository,
    private readonly findings: FindingsService,
    private readonly test: RetestTest,
    private readonly looks: SecondLooks,
    private readonly ending: RetestEnding,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: VerdictMetrics,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const begun = await this.unitOfWork.runIfDue(
      workAudit(claim, { operation: 'retest.begin', resourceType: 'retest' }),
      scope,
      () => this.retests.begin(claim.reference),
    );
    // An earlier attempt may have begun it.
    const retest = begun ?? (await this.retests.findOne(scope, claim.reference));
    if (retest === undefined || isRetestOver(retest.status)) return this.completion(claim, async () => undefined);
    // Before anything is sent: a result that cannot be signed is of no use.
    const key = await this.test.signingKey();
    if (key === null) return this.completion(claim, (_finding, current) => this.fail(current, NOT_SIGNED));
    const outcome = await this.test.run(retest, claim, key, signal);
    return this.completion(claim, (finding, current) => this.store(claim, finding, current, outcome));
  }

  abandon(claim: Claim, error: string): Completion {
    const reason = `It was tried ${claim.attempt} times and did not finish because of an internal error. Start it again.`;
    return this.completion(claim, (_finding, retest) => this.fail(retest, reason), { error });
  }

  private async store(claim: Claim, finding: LockedFinding, retest: Retest, outcome: TestOutcome): Promise<void> {
    if (outcome.isBeaconLost !== true && finding.assetId !== claim.assetId) return this.fail(retest, ASSET_GONE);
    if (!isDeepStrictEqual(finding.checkDefinition, retest.checkDefinition)) return this.fail(retest, CHECK_REPLACED);
    const decision = await this.ending.end(system, finding, retest, outcome);
    const isOutdated = decision !== null && decision.outdatedBy !== null;
    const { check } = testOfFinding(retest) ?? {};
    if (check !== undefined) this.unitOfWork.afterCommit(() => this.metrics.count('retest', check, outcome.result));
    if (!isOutdated) await this.test.keepBaseline(retest, outcome);
    if (RESULT_EFFECTS[outcome.result].secondLook === 'planned' && !isOutdated)
      await this.looks.plan(finding, retest, claim);
    const verification = verificationOf(outcome, finding);
    if (verification !== null)
      await this.findings.saveVerification(finding, verification, { waits: true, at: outcome.decided });
  }

  private async fail({ id }: Retest, reason: string): Promise<void> {
    await this.retests.end(id, { status: 'error', result: null, reason, evidence: null });
    this.unitOfWork.note({ metadata: { reason } });
  }

  /** A retest that was deleted or has ended otherwise is not changed. */
  private completion(
    claim: Claim,
    write: (finding: LockedFinding, retest: Retest) => Promise<void>,
    metadata?: Record<string, unknown>,
  ): Completion {
    return {
      audit: workAudit(claim, { operation: 'retest.end', resourceType: 'retest', metadata }),
      apply: async () => {
        const known = await this.retests.findOne(scope, claim.reference);
        if (known === undefined) return;
        this.unitOfWork.note({ metadata: { finding_id: known.findingId } });
        const finding = await this.findings.lock(scope, known.findingId);
        const retest = await this.retests.lockOne(scope, claim.reference);
        if (retest !== undefined && !isRetestOver(retest.status)) await write(finding, retest);
      },
    };
  }
}
