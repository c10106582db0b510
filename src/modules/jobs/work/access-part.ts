import { Injectable } from '@nestjs/common';
import {
  type AccessAccount,
  type Check,
  isOfSession,
  isWeb,
  needsAccounts,
  type ObservedExchange,
  type Scan,
  scanAccess,
  scanSession,
  SessionEnded,
  type Via,
  type WebTarget,
} from '../../../engine';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import {
  type AccountPair,
  type AssetAccount,
  AssetAccountsRepository,
  pairsAmong,
  TURN_PRIORITY,
} from '../../accounts';
import {
  AccountSessions,
  BeaconTests,
  EngineRuntime,
  inBothSessions,
  isAllowedAt,
  type SessionRequest,
  type TestRun,
  UnprovenAddressError,
} from '../../retests';
import { ActiveInventoryRepository } from '../data/active-inventory.repository';
import type { Job } from '../data/job.entity';
import { inLane } from '../domain/lanes';
import { testedLocationsOf } from '../domain/tested-locations';
import { JobRequestLists } from '../job-request-lists';
import { type Access, inconclusiveFor, inItsLane, withAccess } from './access-result';
import type { TestedJob } from './job-test';
import type { TestLimits } from './test-limits';

const scope = everything('a worker runs the jobs of all organizations');

const TESTED_ENDS: ReadonlySet<Scan['end']> = new Set(['complete', 'partial']);
const MAX_MS = 20 * 60_000;
const NO_PAIR =
  'it needs two accounts of the job that an admin has declared as equals, or one as above the other, on the page of an account';
const NO_TIME = 'the time of the job was over before it was tested';

type Pair = AccountPair<AssetAccount>;

/** What is tested with the accounts of these ids. */
interface Part {
  readonly target: WebTarget;
  readonly checks: readonly Check[];
  readonly ids: readonly number[];
  readonly work: (run: TestRun) => Promise<Access>;
}

/** The last part of an active job: whether one of its accounts is given what belongs to another, and how sessions are checked. */
@Injectable()
export class AccessPart {
  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly sessions: AccountSessions,
    private readonly inventory: ActiveInventoryRepository,
    private readonly lists: JobRequestLists,
    private readonly runtime: EngineRuntime,
    private readonly tests: BeaconTests,
  ) {}

  /** With what it shows. Without accounts that an admin has declared, nothing is sent. */
  async run(claim: Claim, job: Job, limits: TestLimits, tested: TestedJob, signal: AbortSignal): Promise<TestedJob> {
    const checks = tested.checks.filter(needsAccounts);
    const { target } = limits.launch;
    const isEnded = TESTED_ENDS.has(tested.scan.end) && (tested.lanes ?? []).every(({ isProved }) => isProved);
    if (checks.length === 0 || !isWeb(target) || !isEnded) return tested;
    const accounts = await this.accountsOf(job);
    const pairs = pairsAmong(accounts);
    const ofPairs = checks.filter((one) => !isOfSession(one));
    const ofSessions = checks.filter(isOfSession);
    let all = tested;
    if (pairs.length === 0) {
      const selected = ofPairs.filter(({ id }) => job.checks?.includes(id) === true);
      all = withAccess(tested, inconclusiveFor(selected, target, NO_PAIR));
    }
    const parts = [
      ...(ofPairs.length === 0 ? [] : pairs).map((pair): Part => ({
        target,
        checks: ofPairs,
        ids: [pair.first.id, pair.second.id],
        work: (run) => this.compare(job, limits, run, { pair, target, checks: ofPairs }),
      })),
      ...(ofSessions.length === 0 ? [] : accounts).map((account): Part => ({
        target,
        checks: ofSessions,
        ids: [account.id],
        work: (run) => this.testSession(job, limits, run, { account, target, checks: ofSessions }),
      })),
    ];
    for (const part of parts) {
      const refusal = await limits.refusal();
      all =
        refusal === null
          ? await this.tested(claim, limits, all, part, signal)
          : withAccess(all, inconclusiveFor(part.checks, target, refusal));
    }
    return all;
  }

  private async accountsOf({ accounts }: Job): Promise<AssetAccount[]> {
    const found = await Promise.all((accounts ?? []).map(({ id }) => this.accounts.findById(scope, id)));
    return found.filter((account) => account !== undefined);
  }

  private async tested(
    claim: Claim,
    limits: TestLimits,
    tested: TestedJob,
    { target, checks, ids: named, work }: Part,
    signal: AbortSignal,
  ): Promise<TestedJob> {
    const { end } = limits.terms;
    const limitMs = Math.max(1, Math.min(MAX_MS, limits.limitMs));
    const used = new AbortController();
    const cancel = limits.clock.after(limitMs, () => used.abort());
    // A window closes by the time of day.
    const closed = end === undefined ? [] : [AbortSignal.timeout(Math.max(1, end.at.getTime() - Date.now()))];
    const time = AbortSignal.any([used.signal, ...closed]);
    try {
      const access = await this.tests.run(limits.launch, { ...claim, limitMs }, AbortSignal.any([signal, time]), work);
      return withAccess(tested, access);
    } catch (error) {
      if (time.aborted && !signal.aborted) return withAccess(tested, inconclusiveFor(checks, target, NO_TIME));
      if (!(error instanceof SessionEnded) && !(error instanceof UnprovenAddressError)) throw error;
      const own = error instanceof SessionEnded && error.account !== undefined ? [Number(error.account)] : null;
      const ids = new Set(own ?? named);
      const lanes = (tested.lanes ?? []).map((lane) =>
        lane.account !== null && ids.has(lane.account.id) ? { ...lane, isProved: false, reason: error.message } : lane,
      );
      return { ...tested, lanes };
    } finally {
      cancel();
    }
  }

  /** What a session of the part needs, with a list of its requests. */
  private inSessions<T extends object>(
    job: Job,
    { clock, whileWaiting }: TestLimits,
    run: TestRun,
    work: (request: Omit<SessionRequest, 'accountId'>, via: Via) => Promise<T>,
  ): Promise<T & { readonly requests: number }> {
    return this.lists.keep(job, async (list) => {
      const observe = (exchange: ObservedExchange): void => {
        list.add(exchange);
        run.observe?.(exchange);
      };
      const priority = job.kind.startsWith('job.event') ? TURN_PRIORITY.job : TURN_PRIORITY.pipeline;
      const turn = { holder: `job ${job.uuid}`, what: 'a scan', priority };
      const request = { turn, whileWaiting, beaconId: job.beaconId, eventId: job.eventId, work: `job ${job.uuid}` };
      return { ...(await work(request, { ...run, observe, clock, job: job.uuid })), requests: list.sent };
    });
  }

  /** How the application checks the sessions of one account. */
  private testSession(
    job: Job,
    limits: TestLimits,
    run: TestRun,
    { account, target, checks }: { account: AssetAccount; target: WebTarget; checks: readonly Check[] },
  ): Promise<Access> {
    const { launch } = limits;
    return this.inSessions(job, limits, run, async (asked, via) => {
      const isAllowed = isAllowedAt(launch, target);
      const writeRefusal = (): string | null => launch.writeRefusal(target);
      const of = { target, checks, isAllowed, writeRefusal, selected: job.checks ?? [] };
      const paths = await this.pathsOf(job, target, account.id);
      const request = { ...asked, accountId: account.id, keepsTurn: true };
      const scan = await this.sessions.run(request, via, (_via, session) => scanSession({ ...of, paths, session }));
      return inLane(scan, account);
    });
  }

  private compare(
    job: Job,
    limits: TestLimits,
    run: TestRun,
    { pair, target, checks }: { readonly pair: Pair; readonly target: WebTarget; readonly checks: readonly Check[] },
  ): Promise<Access> {
    const { first, second, isAbove, shared } = pair;
    return this.inSessions(job, limits, run, async (request, via) => {
      const { sightings, coverage } = await scanAccess({
        target,
        checks,
        transport: this.runtime.transport,
        first: await this.accountOf(job, target, first),
        second: await this.accountOf(job, target, second),
        isAbove,
        shared,
        publicPaths: await this.pathsOf(job, target, null),
        isInScope: (place) => limits.launch.isInScope(place) && limits.launch.activeRefusal(place) === null,
        series: (work) => inBothSessions(this.sessions, [first.id, second.id], request, via, work),
      });
      return { sightings: sightings.map(inItsLane), coverage };
    });
  }

  private async accountOf(job: Job, target: WebTarget, { id, name, ownValues }: AssetAccount): Promise<AccessAccount> {
    return { id: String(id), name, values: ownValues, paths: await this.pathsOf(job, target, id) };
  }

  /** That its crawl has found, also those of which it has read others. */
  private async pathsOf(job: Job, target: WebTarget, accountId: number | null): Promise<string[]> {
    const { origin } = testedLocationsOf(target);
    const { id, organizationId, beaconId } = job;
    const pages = await this.inventory.listPages({ id, organizationId, beaconId, origin, accountId });
    return pages
      .filter(({ leftOut = null }) => leftOut === null || (leftOut.by === 'similar' && leftOut.method === 'GET'))
      .map(({ path }) => path);
  }
}
