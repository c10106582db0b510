import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import {
  type Baseline,
  type ProbePolicy,
  retest as retestTarget,
  signEvidence,
  type SigningKey,
} from '../../../engine';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/api/caller';
import { everything, Scope } from '../../../platform/api/scope';
import { ConfigError } from '../../../platform/config/load-config';
import type { Claim } from '../../../platform/work/claim';
import type { Completion, WorkHandler } from '../../../platform/work/work-handler';
import { WorkProgress } from '../../../platform/work/work-progress';
import { WorkRegistry } from '../../../platform/work/work-registry';
import {
  FindingsService,
  type FindingVerification,
  type LockedFinding,
  testOfFinding,
  type TestOfFinding,
} from '../../findings';
import { FindingBaselinesRepository } from '../data/finding-baselines.repository';
import type { Retest } from '../data/retest.entity';
import { RetestsRepository } from '../data/retests.repository';
import { RetestProgressLog } from '../domain/retest-progress';
import { isRetestOver } from '../domain/retest-status';
import { BeaconLostError, BeaconTests, type TestRun, throughBeacon } from '../beacon-tests';
import { EngineRuntime } from '../engine-runtime';
import { RetestEnding, type RetestVerdict } from '../retest-ending';
import { RetestPermission } from '../retest-permission';
import { RETEST_KIND } from '../retests.service';
import { VerdictMetrics } from '../verdict-metrics';
import { SigningKeysService } from '../../evidence';

const scope = everything('a retest runs for the organization that started it');

const inconclusive = (reason: string): Outcome => ({ result: 'inconclusive', reason, evidence: null, baseline: null });

const NOT_SIGNED =
  'Evidence cannot be signed, so nothing was tested: the operator of the service must correct SECRET_KEY. Then start the retest again.';

const CHECK_REPLACED =
  'The check of the finding was replaced during the retest, so the result was dropped. Start it again.';

const ASSET_GONE =
  'The asset was deleted, or the finding was moved to another asset, during the retest, so the result was dropped.';

interface Outcome extends RetestVerdict {
  /** The state of the target when this retest saw the vulnerability. */
  readonly baseline: Baseline | null;
  /** The baseline that it was compared with. */
  readonly before?: Baseline | null;
  /** Nothing was tested, because the beacon was not connected. Its deletion also deletes the asset. */
  readonly isBeaconLost?: boolean;
}

/** `fixed` says nothing: the weakness was there. An inconclusive retest replaces no earlier result. */
function verificationOf({ result, reason }: Outcome, finding: LockedFinding): FindingVerification | null {
  if (result === 'still_vulnerable') return { result: 'confirmed', reason: reason ?? '' };
  return result === 'inconclusive' && finding.verification === 'untested' ? { result, reason: reason ?? '' } : null;
}

/** Runs the check of a finding again on its target and stores the result. */
@Injectable()
export class RetestRun implements WorkHandler, OnModuleInit {
  readonly kind = RETEST_KIND;
  private readonly logger = new Logger('retest');

  constructor(
    private readonly retests: RetestsRepository,
    private readonly baselines: FindingBaselinesRepository,
    private readonly findings: FindingsService,
    private readonly permission: RetestPermission,
    private readonly engine: EngineRuntime,
    private readonly keys: SigningKeysService,
    private readonly ending: RetestEnding,
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: WorkRegistry,
    private readonly progress: WorkProgress,
    private readonly tests: BeaconTests,
    private readonly metrics: VerdictMetrics,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const begun = await this.unitOfWork.runIfDue(this.description(claim, 'retest.begin'), scope, () =>
      this.retests.begin(claim.reference),
    );
    // An earlier attempt may have begun it.
    const retest = begun ?? (await this.retests.findOne(scope, claim.reference));
    if (retest === undefined || isRetestOver(retest.status)) return this.completion(claim, async () => undefined);
    // Before anything is sent: a result that cannot be signed is of no use.
    const key = await this.signingKey();
    if (key === null) return this.completion(claim, (_finding, current) => this.fail(current, NOT_SIGNED));
    const outcome = await this.test(retest, claim, key, signal);
    return this.completion(claim, (finding, current) => this.store(claim, finding, current, outcome));
  }

  abandon(claim: Claim, error: string): Completion {
    const reason = `It was tried ${claim.attempt} times and did not finish because of an internal error. Start it again.`;
    return this.completion(claim, (_finding, retest) => this.fail(retest, reason), { error });
  }

  /** Null where it cannot be decrypted: another attempt would not help, the operator must correct SECRET_KEY. */
  private async signingKey(): Promise<SigningKey | null> {
    try {
      return await this.keys.current();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.logger.error(error.message);
      return null;
    }
  }

  private async test(retest: Retest, claim: Claim, key: SigningKey, signal: AbortSignal): Promise<Outcome> {
    const own = Scope.organizations([retest.organizationId]);
    const { allowUnsafe } = await this.findings.get(own, retest.findingId);
    const test = testOfFinding({ ...retest, allowUnsafe });
    if (test === null) return inconclusive('This version of the service cannot run its check.');
    if (test.forbidden !== null) return inconclusive(`Nothing was sent: ${test.forbidden}`);
    const target = { ...retest, ...test, assetId: claim.assetId, waitsForBeacon: true };
    const launch = await this.permission.evaluate(own, target);
    if (!launch.launchable) return inconclusive(`The target could not be tested: ${launch.reason}`);
    const before = await this.baselines.find(own, retest);
    let log = new RetestProgressLog();
    const verify = (run: TestRun): Promise<Outcome> => {
      log = new RetestProgressLog();
      return this.verify(retest, test, before, key, run, (probe) => log.add(probe));
    };
    const track = (): Promise<Outcome> => this.tests.run(launch, claim, signal, verify);
    try {
      return await this.progress.track(claim, () => log.progress, track);
    } catch (error) {
      if (error instanceof BeaconLostError) return { ...inconclusive(error.message), isBeaconLost: true };
      throw error;
    }
  }

  private async verify(
    retest: Retest,
    { check, target }: TestOfFinding,
    before: Baseline | null,
    key: SigningKey,
    run: TestRun,
    onProbe: ProbePolicy['onProbe'],
  ): Promise<Outcome> {
    const { transport, probePolicy } = this.engine;
    const policy = { ...probePolicy, onProbe };
    const verification = await retestTarget(check, target, before, transport, run, policy);
    const { baseline, newSite } = verification;
    const { result, reason } = verification.verdict;
    const verdict = { result, reason: throughBeacon(run.beacon, reason) };
    const subject = { retest: retest.uuid, finding: retest.findingId, organization: retest.organizationId };
    const evidence = signEvidence(subject, check, target, before, { ...verification, verdict }, run.beacon, key);
    return { ...verdict, evidence, baseline, before, newSite };
  }

  private async store(claim: Claim, finding: LockedFinding, retest: Retest, outcome: Outcome): Promise<void> {
    if (outcome.isBeaconLost !== true && finding.assetId !== claim.assetId) return this.fail(retest, ASSET_GONE);
    if (!isDeepStrictEqual(finding.checkDefinition, retest.checkDefinition)) return this.fail(retest, CHECK_REPLACED);
    await this.ending.end(system, finding, retest, outcome);
    const { check } = testOfFinding(retest) ?? {};
    if (check !== undefined) this.unitOfWork.afterCommit(() => this.metrics.count('retest', check, outcome.result));
    await this.keepBaseline(retest, outcome);
    const verification = verificationOf(outcome, finding);
    if (verification !== null) await this.findings.saveVerification(finding, verification, { waits: true });
  }

  /** One of a site whose weakness was not seen only adds to the baseline, which a person may have replaced meanwhile. */
  private async keepBaseline(retest: Retest, { result, baseline, before = null }: Outcome): Promise<void> {
    if (baseline === null) return;
    if (result === 'still_vulnerable' || before === null) await this.baselines.save(retest, baseline);
    else await this.baselines.replace(retest, before, baseline);
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
      audit: { ...this.description(claim, 'retest.end'), metadata },
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

  private description({ reference, organizationId, trace }: Claim, operation: string): Completion['audit'] {
    return { actor: system, operation, resourceType: 'retest', resourceId: reference, organizationId, trace };
  }
}
