import { Injectable, Logger } from '@nestjs/common';
import {
  type Baseline,
  decidedAt,
  PageOfTest,
  type ProbePolicy,
  needsAccounts,
  retest as retestTarget,
  retestAccess,
  retestSession,
  type Retested,
  signEvidence,
  SessionEnded,
  type SigningKey,
  isWeb,
} from '../../../engine';
import { Scope } from '../../../platform/api/scope';
import { ConfigError } from '../../../platform/config/load-config';
import type { Claim } from '../../../platform/work/claim';
import { WorkProgress } from '../../../platform/work/work-progress';
import { SigningKeysService } from '../../evidence';
import { FindingsService, testOfFinding, type TestOfFinding, whyNotRun } from '../../findings';
import { TURN_PRIORITY } from '../../accounts';
import { AccountSessions } from '../account-sessions';
import { isAllowedAt } from '../launch';
import { bothPinned } from '../both-pinned';
import { inBothSessions } from '../both-sessions';
import { UnprovenAddressError } from '../address-proof';
import { BeaconLostError, BeaconTests, type TestRun, throughBeacon } from '../beacon-tests';
import { FindingBaselinesRepository } from '../data/finding-baselines.repository';
import type { Retest } from '../data/retest.entity';
import { RetestProgressLog } from '../domain/retest-progress';
import { EngineRuntime } from '../engine-runtime';
import { HostedElsewhereError, requireAllowedCheck } from '../domain/hosting-limit';
import type { RetestVerdict } from '../retest-ending';
import { RetestPermission } from '../retest-permission';
import { TestedPages } from '../tested-pages';

export const NOT_SIGNED =
  'Evidence cannot be signed, so nothing was tested: the operator of the service must correct SECRET_KEY. Then start the retest again.';

const NOT_SEEN =
  'No job with its accounts has seen it, so nothing says what to look for. Launch an active job with the accounts, and declare two of them to compare what they are given.';

type Verify = (policy: ProbePolicy) => Promise<Retested>;

/** What a test of a finding showed. Without evidence nothing was sent. */
export interface TestOutcome extends RetestVerdict {
  /** The state of the target when this test saw the vulnerability. */
  readonly baseline: Baseline | null;
  /** The baseline that it was compared with. */
  readonly before?: Baseline | null;
  /** Nothing was tested, because the beacon was not connected. Deleting the beacon also deletes the asset. */
  readonly isBeaconLost?: boolean;
}

/** With the account whose session was not proved, for a notice. */
const unprovedSession = ({ message, account }: SessionEnded): TestOutcome => ({
  ...inconclusive(`It was not proved to be signed in. ${message}`),
  unproved: account === undefined ? null : Number(account),
});

const inconclusive = (reason: string): TestOutcome => ({
  result: 'inconclusive',
  reason,
  evidence: null,
  baseline: null,
});

/** Runs the check of a retest on its target, if that may be tested now. */
@Injectable()
export class RetestTest {
  private readonly logger = new Logger('retest');

  constructor(
    private readonly baselines: FindingBaselinesRepository,
    private readonly findings: FindingsService,
    private readonly permission: RetestPermission,
    private readonly engine: EngineRuntime,
    private readonly keys: SigningKeysService,
    private readonly progress: WorkProgress,
    private readonly tests: BeaconTests,
    private readonly pages: TestedPages,
    private readonly sessions: AccountSessions,
  ) {}

  /** Null where it cannot be decrypted: another attempt would not help, the operator must correct SECRET_KEY. */
  async signingKey(): Promise<SigningKey | null> {
    try {
      return await this.keys.current();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.logger.error(error.message);
      return null;
    }
  }

  async run(retest: Retest, claim: Claim, key: SigningKey, signal: AbortSignal): Promise<TestOutcome> {
    const own = Scope.organizations([retest.organizationId]);
    const { allowUnsafe } = await this.findings.get(own, retest.findingId);
    const test = testOfFinding({ ...retest, allowUnsafe });
    if (test === null) return inconclusive(whyNotRun(retest));
    if (test.forbidden !== null) return inconclusive(`Nothing was sent: ${test.forbidden}`);
    const target = { ...retest, ...test, assetId: claim.assetId, repeats: retest, waitsForBeacon: true };
    const launch = await this.permission.evaluate(own, target);
    if (!launch.launchable) return inconclusive(`The target could not be tested: ${launch.reason}`);
    const before = await this.baselines.find(own, retest);
    let log = new RetestProgressLog();
    const page = new PageOfTest(test.target);
    const { check, target: tested, accountId } = test;
    if (needsAccounts(check) && before?.on !== 'access' && before?.on !== 'session') return inconclusive(NOT_SEEN);
    const proven = async (run: TestRun): Promise<TestRun> => {
      await requireAllowedCheck(launch, check, run);
      const { pinned, ...allowed } = await launch.pin(run, before);
      log = new RetestProgressLog();
      return { ...run, ...allowed, ...(pinned && { pinned: bothPinned(run.pinned, pinned) }) };
    };
    const judged = (run: TestRun, verify: Verify): Promise<TestOutcome> =>
      this.verify(retest, test, before, key, run, { onProbe: (probe) => log.add(probe) }, verify);
    const { transport } = this.engine;
    const alone = async (run: TestRun): Promise<TestOutcome> => {
      const via = { ...(await proven(run)), answered: page.take };
      return judged(run, (policy) => retestTarget(check, tested, before, transport, via, launch.otherWww, policy));
    };
    const session = {
      turn: { holder: `retest ${retest.uuid}`, what: 'a retest', priority: TURN_PRIORITY.retest },
      beaconId: launch.beacon?.id ?? null,
      eventId: launch.eventId,
      test: 'retest',
      work: `retest ${retest.uuid}`,
      waiting: (reason: string | null) => log.waits(reason),
      ...(claim.whileWaiting && { whileWaiting: claim.whileWaiting }),
    } as const;
    const asAccount = (id: number) => (run: TestRun) =>
      this.sessions.run({ ...session, accountId: id }, run, (via) => alone({ ...run, ...via }));
    const asBoth = async (run: TestRun): Promise<TestOutcome> => {
      if (before?.on !== 'access' || !isWeb(tested)) return inconclusive(NOT_SEEN);
      const { owner, other } = before.access;
      return inBothSessions(
        this.sessions,
        [Number(owner.id), Number(other.id)],
        session,
        await proven(run),
        (one, two) =>
          judged(run, (policy) => retestAccess({ target: tested, before, transport, owner: one, other: two, policy })),
      );
    };
    /** It signs in and out, so that no other work may use the account. */
    const ofSession = async (run: TestRun): Promise<TestOutcome> => {
      if (before?.on !== 'session') return asBoth(run);
      const request = { ...session, accountId: Number(before.session.account.id), keepsTurn: true };
      const isAllowed = isAllowedAt(launch, tested);
      return this.sessions.run(request, await proven(run), (_via, opened) =>
        judged(run, (policy) => retestSession({ session: opened, before, isAllowed, policy })),
      );
    };
    const run = needsAccounts(check) ? ofSession : accountId === null ? alone : asAccount(accountId);
    const track = (): Promise<TestOutcome> => this.tests.run(launch, claim, signal, run);
    try {
      const outcome = await this.progress.track(claim, () => log.progress, track);
      await this.pages.keep(launch, page.look);
      return outcome;
    } catch (error) {
      if (error instanceof HostedElsewhereError || error instanceof UnprovenAddressError)
        return inconclusive(error.message);
      if (error instanceof SessionEnded) return unprovedSession(error);
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
    follow: Pick<ProbePolicy, 'onProbe'>,
    verify: Verify,
  ): Promise<TestOutcome> {
    const { clock } = this.engine;
    const own = Scope.organizations([retest.organizationId]);
    const verification = await verify({ ...(await this.engine.policyFor(own, retest.organizationId)), ...follow });
    const { baseline, newSite } = verification;
    const { result, reason, refusal, byRefusal } = verification.verdict;
    const verdict = { ...verification.verdict, reason: throughBeacon(run.beacon, reason) };
    const subject = { retest: retest.uuid, finding: retest.findingId, organization: retest.organizationId };
    const signed = { now: clock.time(), differenceMs: clock.reportedDifferenceMs };
    const tested = { ...verification, verdict };
    const evidence = signEvidence(subject, check, target, before, tested, run.beacon, key, signed);
    const decided = decidedAt(verification.verdict, verification.probes);
    return {
      result,
      reason: verdict.reason,
      evidence,
      baseline,
      before,
      newSite,
      refusal,
      byRefusal,
      decided: decided === null ? null : new Date(decided),
    };
  }

  /** One of a site whose weakness was not seen only adds to the baseline, which a person may have replaced meanwhile. */
  async keepBaseline(retest: Retest, { result, baseline, before = null }: TestOutcome): Promise<void> {
    if (baseline === null) return;
    if (result === 'still_vulnerable' || before === null) await this.baselines.save(retest, baseline);
    else await this.baselines.replace(retest, before, baseline);
  }
}
