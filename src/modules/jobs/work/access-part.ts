import { Injectable } from '@nestjs/common';
import {
  type AccessAccount,
  type AccessSighting,
  type Check,
  isWeb,
  locationOf,
  needsAccounts,
  type ObservedExchange,
  type Scan,
  scanAccess,
  SessionEnded,
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
  type TestRun,
  UnprovenAddressError,
} from '../../retests';
import { ActiveInventoryRepository } from '../data/active-inventory.repository';
import type { Job } from '../data/job.entity';
import type { LaneCoverage, LaneSighting } from '../domain/lanes';
import { testedLocationsOf } from '../domain/tested-locations';
import { JobRequestLists } from '../job-request-lists';
import type { TestedJob } from './job-test';
import type { TestLimits } from './test-limits';

const scope = everything('a worker runs the jobs of all organizations');

const TESTED_ENDS: ReadonlySet<Scan['end']> = new Set(['complete', 'partial']);
const MAX_MS = 20 * 60_000;
const NO_PAIR =
  'it needs two accounts of the job that an admin has declared as equals, or one as above the other, on the page of an account';
const NO_TIME = 'the time of the job was over before it was tested';

type Pair = AccountPair<AssetAccount>;

interface Access {
  readonly sightings: readonly LaneSighting[];
  readonly coverage: readonly LaneCoverage[];
  readonly requests: number;
}

/** The last part of an active job: whether one of its accounts is given what belongs to another. */
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
    const pairs = pairsAmong(await this.accountsOf(job));
    if (pairs.length === 0) {
      const selected = checks.filter(({ id }) => job.checks?.includes(id) === true);
      return withAccess(tested, inconclusiveFor(selected, target, NO_PAIR));
    }
    let all = tested;
    for (const pair of pairs) {
      const refusal = await limits.refusal();
      all =
        refusal === null
          ? await this.compared(claim, job, limits, all, { pair, target, checks }, signal)
          : withAccess(all, inconclusiveFor(checks, target, refusal));
    }
    return all;
  }

  private async accountsOf({ accounts }: Job): Promise<AssetAccount[]> {
    const found = await Promise.all((accounts ?? []).map(({ id }) => this.accounts.findById(scope, id)));
    return found.filter((account) => account !== undefined);
  }

  private async compared(
    claim: Claim,
    job: Job,
    limits: TestLimits,
    tested: TestedJob,
    asked: { readonly pair: Pair; readonly target: WebTarget; readonly checks: readonly Check[] },
    signal: AbortSignal,
  ): Promise<TestedJob> {
    const { pair, target, checks } = asked;
    const { end } = limits.terms;
    const limitMs = Math.max(1, Math.min(MAX_MS, limits.limitMs));
    const used = new AbortController();
    const cancel = limits.clock.after(limitMs, () => used.abort());
    // A window closes by the time of day.
    const closed = end === undefined ? [] : [AbortSignal.timeout(Math.max(1, end.at.getTime() - Date.now()))];
    const time = AbortSignal.any([used.signal, ...closed]);
    try {
      const access = await this.tests.run(
        limits.launch,
        { ...claim, limitMs },
        AbortSignal.any([signal, time]),
        (run) => this.compare(job, limits, run, asked),
      );
      return withAccess(tested, access);
    } catch (error) {
      if (time.aborted && !signal.aborted) return withAccess(tested, inconclusiveFor(checks, target, NO_TIME));
      if (!(error instanceof SessionEnded) && !(error instanceof UnprovenAddressError)) throw error;
      const own = error instanceof SessionEnded && error.account !== undefined ? [Number(error.account)] : null;
      const ids = new Set(own ?? [pair.first.id, pair.second.id]);
      const lanes = (tested.lanes ?? []).map((lane) =>
        lane.account !== null && ids.has(lane.account.id) ? { ...lane, isProved: false, reason: error.message } : lane,
      );
      return { ...tested, lanes };
    } finally {
      cancel();
    }
  }

  private compare(
    job: Job,
    { launch, clock, whileWaiting }: TestLimits,
    run: TestRun,
    { pair, target, checks }: { readonly pair: Pair; readonly target: WebTarget; readonly checks: readonly Check[] },
  ): Promise<Access> {
    const { first, second, isAbove, shared } = pair;
    return this.lists.keep(job, async (list) => {
      const observe = (exchange: ObservedExchange): void => {
        list.add(exchange);
        run.observe?.(exchange);
      };
      const priority = job.kind.startsWith('job.event') ? TURN_PRIORITY.job : TURN_PRIORITY.pipeline;
      const turn = { holder: `job ${job.uuid}`, what: 'a scan', priority };
      const request = { turn, whileWaiting, beaconId: job.beaconId, eventId: job.eventId, work: `job ${job.uuid}` };
      const { sightings, coverage } = await scanAccess({
        target,
        checks,
        transport: this.runtime.transport,
        first: await this.accountOf(job, target, first),
        second: await this.accountOf(job, target, second),
        isAbove,
        shared,
        publicPaths: await this.pathsOf(job, target, null),
        isInScope: (place) => launch.isInScope(place) && launch.activeRefusal(place) === null,
        series: (work) =>
          inBothSessions(
            this.sessions,
            [first.id, second.id],
            request,
            { ...run, observe, clock, job: job.uuid },
            work,
          ),
      });
      return { sightings: sightings.map(inItsLane), coverage, requests: list.sent };
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

const inItsLane = ({ seenAs, ...sighting }: AccessSighting): LaneSighting =>
  seenAs === null ? sighting : { ...sighting, account: Number(seenAs.id) };

function withAccess(tested: TestedJob, { sightings, coverage, requests }: Access): TestedJob {
  const scan = {
    ...tested.scan,
    finished: new Date().toISOString(),
    sightings: [...tested.scan.sightings, ...sightings],
    coverage: [...tested.scan.coverage, ...coverage],
  };
  return { ...tested, scan, requests: Math.max(tested.requests, requests) };
}

const inconclusiveFor = (checks: readonly Check[], target: WebTarget, reason: string): Access => ({
  sightings: [],
  coverage: checks.map(({ id: check }) => ({
    check,
    location: locationOf({ ...target, path: '/', parameter: undefined }),
    outcome: 'inconclusive',
    reason,
    controlFailure: null,
    verdict: null,
  })),
  requests: 0,
});
