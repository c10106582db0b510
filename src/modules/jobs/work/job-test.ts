import { Injectable } from '@nestjs/common';
import {
  type Check,
  isWeb,
  type ObservedExchange,
  type ProbePolicy,
  type Scan,
  scan,
  type ScanRequest,
  type Sighting,
  type Target,
  type Via,
} from '../../../engine';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { WorkProgress } from '../../../platform/work/work-progress';
import {
  BeaconTests,
  bothPinned,
  EngineRuntime,
  experimentsRefusal,
  HostedElsewhereError,
  hostingLimit,
  type Launchable,
  TestedPages,
  type TestRun,
  UnprovenAddressError,
} from '../../retests';
import type { Job } from '../data/job.entity';
import { passivePlan } from '../domain/hosted-job';
import { JobProgressLog } from '../domain/job-progress';
import { isAtPoint, isStandard, nothingStandard } from '../domain/point-checks';
import { testedLocationsOf } from '../domain/tested-locations';
import { JobPlans, type Plan, repeatsExperiment, withoutPoints } from '../job-plans';
import { JobRequestLists } from '../job-request-lists';
import type { Found } from '../job-found-so-far';
import { FINISHED_ENDS, type JobResult } from '../job-results';
import type { AccountOfJob } from '../domain/lanes';
import { ActiveTest } from './active-test';
import { type JobTerms, msLeft, type TestLimits } from './test-limits';
import { JobLanes, type TestedLane } from './job-lanes';

const scope = everything('a worker runs the jobs of all organizations');

/** Of the standard part of a job, and of a standard job. */
export const MAX_STANDARD_MS = 300_000;

/** Of an active job, in all attempts together. */
const MAX_REQUESTS = 20_000;

export type TestedJob = Omit<JobResult, 'texts'> & { readonly checks: readonly Check[] };

/** Which part of a run is under way: a lost beacon begins another one. */
interface Part {
  observer: JobProgressLog;
  hosting: Launchable['hosting'];
  requests: number;
}

type Tested = Pick<TestedLane, 'scan' | 'active'>;

/** Runs the checks of a job on its target, outside any transaction. */
@Injectable()
export class JobTest {
  constructor(
    private readonly plans: JobPlans,
    private readonly runtime: EngineRuntime,
    private readonly progress: WorkProgress,
    private readonly tests: BeaconTests,
    private readonly pages: TestedPages,
    private readonly lists: JobRequestLists,
    private readonly active: ActiveTest,
    private readonly lanes: JobLanes,
  ) {}

  async run(claim: Claim, job: Job, limits: TestLimits, signal: AbortSignal): Promise<TestedJob> {
    const { launch, limitMs } = limits;
    const locations = testedLocationsOf(launch.target);
    const { checks, previous, planOf } = await this.plans.load(job, locations);
    const policy = await this.runtime.policyFor(scope, job.organizationId);
    const foundAs =
      (account: AccountOfJob | null): Found =>
      (sightings, of) =>
        limits.found(account === null ? sightings : sightings.map((one) => ({ ...one, account: account.id })), of);
    const follow = (account: AccountOfJob | null): JobProgressLog =>
      new JobProgressLog((sighting) => foundAs(account)([sighting], checks), account?.name ?? null);
    const part: Part = { observer: follow(null), hosting: launch.hosting, requests: 0 };
    const { clock, whileWaiting } = limits;
    const tested = await this.progress.track(
      claim,
      () => part.observer.progress,
      () =>
        this.tests.run(launch, { ...claim, limitMs }, signal, (run) =>
          this.lanes.run(
            job,
            { ...run, clock },
            async (account, via, lanesLeft) => {
              part.observer = follow(account);
              const before = part.requests;
              const asLane = { ...limits, found: foundAs(account) };
              const plan = planOf(account?.id ?? null);
              const test = { job, limits: asLane, plan, part, policy, account, lanesLeft };
              const result = job.depth === 'active' ? await this.testActively(test, via) : await this.test(test, via);
              // An interrupted scan has no result.
              via.signal.throwIfAborted();
              return { ...result, requests: part.requests - before };
            },
            { waiting: (reason) => part.observer.waits(reason), whileWaiting },
          ),
        ),
    );
    await this.pages.keep(launch, tested.scan.look);
    const { hosting, requests } = part;
    const placed = { ...tested, scan: await this.plans.inOnePlace(job, locations, tested.scan) };
    return { launch: { ...launch, hosting }, locations, previous, requests, checks, ...placed };
  }

  private async test({ limits, plan, part, policy }: Test, run: TestRun): Promise<Tested> {
    const observe = (exchange: ObservedExchange): void => {
      part.requests += 1;
      run.observe?.(exchange);
    };
    const asked = { ...run, observe };
    part.hosting = await hostingLimit(limits.launch, plan.checks, asked);
    const kept = withoutPoints(plan, limits.launch);
    const { launch, pinned } = await this.provenLaunch(limits.launch, kept, asked);
    const via = pinned === undefined ? asked : { ...asked, pinned: bothPinned(asked.pinned, pinned) };
    const request = {
      ...this.requestOf(limits, part),
      policy,
      ...passivePlan(part.hosting, withoutPoints(kept, launch)),
      via,
    };
    return { scan: await scan({ ...request, limitMs: Math.min(MAX_STANDARD_MS, msLeft(limits)) }), active: null };
  }

  /** Where an address has no proof, findings that an experiment showed are left to active jobs. */
  private async provenLaunch(launch: Launchable, plan: Plan, via: Via) {
    if (!plan.previousFindings.some(repeatsExperiment)) return { launch };
    try {
      return { launch, ...(await this.active.addresses.proof.pin(launch, via)) };
    } catch (error) {
      if (!(error instanceof UnprovenAddressError)) throw error;
      return { launch: { ...launch, activeRefusal: () => error.message } };
    }
  }

  /** The standard part first. It begins again after a lost worker, and the tested points stay. */
  private testActively({ job, limits, plan, part, policy, account, lanesLeft }: Test, run: TestRun): Promise<Tested> {
    const { launch, refusal } = limits;
    return this.lists.keep(job, async (list) => {
      const observe = (exchange: ObservedExchange): void => {
        list.add(exchange);
        part.requests = list.sent;
        run.observe?.(exchange);
      };
      const asked = { ...run, observe, job: job.uuid };
      part.hosting = await hostingLimit(launch, plan.checks, asked);
      const elsewhere = experimentsRefusal(part.hosting, launch.target);
      if (elsewhere !== null) throw new HostedElsewhereError(`Nothing was sent: ${elsewhere}`);
      const { pinned, warning } = await this.active.addresses.start(job, launch, asked);
      const via = { ...asked, pinned: bothPinned(asked.pinned, pinned) };
      const request = { ...this.requestOf(limits, part), policy, via };
      const standard = await this.standardPart(request, plan, msLeft(limits));
      const { target } = launch;
      if (!isWeb(target) || !FINISHED_ENDS.has(standard.end)) return { scan: standard, active: null };
      const isInScope = (place: Target): boolean => request.isInScope(place) && launch.activeRefusal(place) === null;
      // Each of the runs that follow has the same share of what is left.
      const ms = Math.ceil(msLeft(limits) / lanesLeft);
      const left = { ms, requests: Math.floor(Math.max(0, MAX_REQUESTS - list.sent) / lanesLeft) };
      // Counted from now: the standard part has used some of the time until the end of the window.
      const active = {
        ...request,
        ...plan,
        ...interruptionOf(limits.terms),
        target,
        isInScope,
        refusal,
        found: (sightings: readonly Sighting[]) => limits.found(sightings, plan.checks),
        stated: launch.statedPaths,
        writeRefusal: (place: Target) => (isInScope(place) ? launch.writeRefusal(place) : 'it is out of scope'),
      };
      return this.active.run(job, standard, { ...active, limits: left }, warning, account?.id ?? null);
    });
  }

  private standardPart(request: Omit<ScanRequest, 'checks'>, plan: Plan, ms: number): Promise<Scan> {
    const checks = plan.checks.filter(isStandard);
    if (checks.length === 0) return Promise.resolve(nothingStandard());
    const previousFindings = plan.previousFindings.filter((one) => !isAtPoint(one, plan.checks));
    return scan({ ...request, ...plan, checks, previousFindings, limitMs: Math.min(MAX_STANDARD_MS, ms) });
  }

  private requestOf({ launch: { target, isInScope, otherWww }, terms }: TestLimits, { observer }: Part) {
    const { transport } = this.runtime;
    return { target, transport, observer, isInScope, otherWww, ...interruptionOf(terms) };
  }
}

interface Test {
  readonly job: Job;
  readonly limits: TestLimits;
  readonly plan: Plan;
  readonly part: Part;
  readonly policy: ProbePolicy;
  /** Null for the run as nobody. */
  readonly account: AccountOfJob | null;
  /** With this one. */
  readonly lanesLeft: number;
}

const interruptionOf = ({ end }: JobTerms): Pick<ScanRequest, 'interruption'> =>
  end === undefined ? {} : { interruption: { inMs: end.at.getTime() - Date.now(), reason: end.reason } };
