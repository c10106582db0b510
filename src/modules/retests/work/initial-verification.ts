import { Injectable } from '@nestjs/common';
import { type Baseline, detect, momentOf, refute } from '../../../engine';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything, Scope } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import {
  AlikeFindings,
  findingOfInitialVerification,
  FindingsService,
  type FindingVerification,
  type FindingWithCheck,
  INITIAL_VERIFICATION_KIND,
  type TestOfFinding,
  testOfFinding,
  whyNotRun,
  verificationOfReplay,
} from '../../findings';
import { UnprovenAddressError } from '../address-proof';
import { FindingBaselinesRepository } from '../data/finding-baselines.repository';
import { EngineRuntime } from '../engine-runtime';
import { HostedElsewhereError, requireAllowedCheck } from '../domain/hosting-limit';
import { BeaconLostError, BeaconTests, type TestRun, throughBeacon } from '../beacon-tests';
import { withNextStep } from '../domain/next-step';
import { RetestPermission } from '../retest-permission';
import { VerdictMetrics } from '../verdict-metrics';

const scope = everything('the initial verification runs for the organization of each finding');

interface Verification {
  readonly seen: boolean;
  /** Stored for retests; null where the vulnerability was not seen, or while the target was down. */
  readonly baseline: Baseline | null;
  readonly reason: string;
  readonly verification: FindingVerification;
  /** When the response arrived that decided; absent for now. */
  readonly at?: Date;
}

const notTested = (reason: string): Verification => ({
  seen: false,
  baseline: null,
  reason,
  verification: { result: 'untested', reason },
});

const undecided = (reason: string, result = 'inconclusive'): FindingVerification => ({
  result: 'inconclusive',
  reason: withNextStep(result, reason),
});

/** After a finding was recorded with a check: runs it once, and stores the state of the vulnerable target as the baseline. */
@Injectable()
@WorkKind(INITIAL_VERIFICATION_KIND)
export class InitialVerification implements WorkHandler {
  constructor(
    private readonly findings: FindingsService,
    private readonly baselines: FindingBaselinesRepository,
    private readonly permission: RetestPermission,
    private readonly engine: EngineRuntime,
    private readonly tests: BeaconTests,
    private readonly metrics: VerdictMetrics,
    private readonly alike: AlikeFindings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const findingId = findingOfInitialVerification(claim.reference);
    const finding = await this.findings.getWithCheck(scope, findingId);
    const { checkDefinition } = finding;
    const verification = await this.verify(finding, claim, signal);
    await this.store(claim, finding, verification);
    return this.completion(claim, verification, async () => {
      if (verification.baseline === null) return;
      // Not locked: a request that records the finding again locks it while it waits for this work to end.
      const { assetId } = await this.findings.get(scope, findingId);
      if (assetId === claim.assetId) await this.baselines.save({ findingId, checkDefinition }, verification.baseline);
    });
  }

  abandon(claim: Claim, error: string): Completion {
    const reason = `The test did not finish because of an internal error: ${error}`;
    const { assetId } = claim;
    const tested = { id: findingOfInitialVerification(claim.reference), assetId };
    return this.completion(claim, notTested(error), () =>
      this.findings.saveVerification(tested, { result: 'inconclusive', reason }, { waits: false }),
    );
  }

  /**
   * Before the completion, which must not lock the finding: a request that records the finding again locks it while it waits
   * for this work to end. Another attempt stores its own result.
   */
  private async store(claim: Claim, finding: FindingWithCheck, { verification, at }: Verification): Promise<void> {
    const description = auditOf(claim, 'finding.verify');
    await this.unitOfWork.run(description, scope, async () => {
      this.unitOfWork.note({ metadata: { ...verification } });
      const { id, checkDefinition } = finding;
      await this.findings.saveVerification({ id, checkDefinition, assetId: claim.assetId }, verification, {
        waits: true,
        at,
      });
      const isOwnCheck = testOfFinding(finding)?.isReplay === false;
      if (verification.result === 'confirmed' && isOwnCheck) await this.alike.request(finding.organizationId, id);
    });
  }

  /** By the rules of the event of this recording, which need not be the first event of the finding. */
  private async verify(finding: FindingWithCheck, claim: Claim, signal: AbortSignal): Promise<Verification> {
    const test = testOfFinding(finding);
    if (test === null) return notTested(whyNotRun(finding));
    if (test.forbidden !== null) return notTested(`Nothing was sent: ${test.forbidden}`);
    if (test.accountId !== null) return notTested('It was seen signed in. A retest tests it so.');
    const { organizationId, assetId } = finding;
    const target = { organizationId, assetId, eventId: claim.eventId, repeats: null, waitsForBeacon: true, ...test };
    const launch = await this.permission.evaluate(Scope.organizations([organizationId]), target);
    if (!launch.launchable) return notTested(launch.reason);
    try {
      return await this.tests.run(launch, claim, signal, async (run) => {
        await requireAllowedCheck(launch, test.check, run);
        return this.probe(test, { ...run, ...(await launch.pin(run)) });
      });
    } catch (error) {
      if (error instanceof HostedElsewhereError || error instanceof UnprovenAddressError)
        return notTested(error.message);
      if (error instanceof BeaconLostError)
        return { ...notTested(error.message), verification: { result: 'inconclusive', reason: error.message } };
      throw error;
    }
  }

  private async probe(
    { check, target, path, seen: known, isReplay }: TestOfFinding,
    run: TestRun,
  ): Promise<Verification> {
    const seen = await detect(check, target, this.engine.transport, run);
    if (seen === null) return notTested('There is nothing to test at its location.');
    const { observation, controlFailure, baseline } = seen;
    const { state, detail } = observation;
    this.metrics.count('initial_verification', check, state);
    const reason = throughBeacon(run.beacon, detail);
    // A refusal shows neither, and without a baseline its cause is unknown.
    if (state === 'inconclusive' || state === 'blocked')
      return { seen: false, baseline: null, reason, verification: undecided(reason, state) };
    if (isReplay && state === 'not_vulnerable')
      return { seen: false, baseline: null, reason, verification: verificationOfReplay(state, reason) };
    if (state === 'not_vulnerable') {
      const verification = await this.refute({ check, target, path, seen: known }, run);
      return { seen: verification.result === 'confirmed', baseline: null, reason, verification };
    }
    const verification = { result: 'confirmed', reason } as const;
    const at = new Date(momentOf(seen));
    return controlFailure === null
      ? { seen: true, baseline, reason, verification, at }
      : {
          seen: true,
          baseline: null,
          verification,
          at,
          reason: `${reason} Retests are not compared with this probe: ${controlFailure}.`,
        };
  }

  /** One probe does not prove that a weakness is absent. */
  private async refute(
    { check, target, path, seen }: Pick<TestOfFinding, 'check' | 'target' | 'path' | 'seen'>,
    run: TestRun,
  ): Promise<FindingVerification> {
    const { transport, probePolicy } = this.engine;
    const { result, reason } = await refute(check, target, transport, run, probePolicy, { path, seen });
    const said = throughBeacon(run.beacon, reason);
    return result === 'inconclusive'
      ? undecided(said)
      : { result: result === 'vulnerable' ? 'confirmed' : result, reason: said };
  }

  private completion(claim: Claim, { seen, reason }: Verification, apply: () => Promise<void>): Completion {
    return { audit: auditOf(claim, claim.kind, { seen, reason }), apply };
  }
}

function auditOf(claim: Claim, operation: string, metadata?: Record<string, unknown>): Completion['audit'] {
  const resourceId = String(findingOfInitialVerification(claim.reference));
  return workAudit(claim, { operation, resourceType: 'finding', resourceId, metadata });
}
