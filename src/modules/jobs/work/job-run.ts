import { Injectable } from '@nestjs/common';
import { TestClock } from '../../../kernel/test-clock';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import type { Job } from '../data/job.entity';
import { type BegunJob, JobsRepository } from '../data/jobs.repository';
import { ACTIVE_JOB_KIND, JOB_KIND, WINDOW_CLOSED } from '../domain/job-kind';
import { parseLaunchUrl } from '../domain/launch-url';
import { JobFoundSoFar } from '../job-found-so-far';
import { JobResults } from '../job-results';
import { JobSightings } from '../job-sightings';
import {
  BeaconLostError,
  HostedElsewhereError,
  type Launchable,
  type LaunchRefusal,
  LaunchRule,
  UnprovenAddressError,
} from '../../retests';
import { AccessPart } from './access-part';
import { JobTest, MAX_STANDARD_MS } from './job-test';
import type { JobTerms, TestLimits } from './test-limits';

const scope = everything('a worker runs the jobs of all organizations');

/** From the start of the first attempt, for all attempts together. */
const MAX_DURATION_MS = { standard: MAX_STANDARD_MS, active: 7_200_000 } as const;

/** A standard job has this time again for each account. */
const maxDurationMs = ({ depth, accounts }: Job): number =>
  MAX_DURATION_MS[depth] * (depth === 'standard' ? 1 + (accounts?.length ?? 0) : 1);

const timeLimitExceeded = (job: Job): string => `It did not finish within ${maxDurationMs(job) / 60_000} minutes.`;

/** Runs a job from its beginning to its end. */
@Injectable()
@WorkKind(JOB_KIND)
export class JobRun implements WorkHandler {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly rule: LaunchRule,
    private readonly tests: JobTest,
    private readonly access: AccessPart,
    private readonly results: JobResults,
    private readonly found: JobFoundSoFar,
    private readonly sightings: JobSightings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async perform(claim: Claim, signal: AbortSignal, stated: JobTerms = {}): Promise<Completion> {
    const begun = (await this.begin(claim)) ?? (await this.jobs.findBegun(scope, claim.reference));
    // The organization was deleted or the job is over: only the claim is left to complete.
    if (begun === undefined) return this.completion(claim, async () => undefined);
    const terms = begun.until === null ? stated : { end: { at: begun.until, reason: WINDOW_CLOSED }, ...stated };
    const launch = await this.evaluate(begun);
    if (!launch.launchable) return this.failure(claim, `It may no longer run. ${launch.reason}`);
    const missingProof = begun.depth === 'active' ? await launch.missingProof() : null;
    if (missingProof !== null) return this.failure(claim, `Nothing was sent: ${missingProof}`);
    const limitMs = maxDurationMs(begun) - begun.sinceStartMs;
    if (limitMs <= 0) return this.failure(claim, timeLimitExceeded(begun));
    let newest = launch;
    const refusal = async (): Promise<string | null> => {
      const now = await this.evaluate(begun);
      if (!now.launchable) return `It may no longer run. ${now.reason}`;
      newest = now;
      return null;
    };
    const isInScope: Launchable['isInScope'] = (place) => newest.isInScope(place);
    const activeRefusal: Launchable['activeRefusal'] = (place) => newest.activeRefusal(place);
    const writeRefusal: Launchable['writeRefusal'] = (place) => newest.writeRefusal(place);
    const statedPaths: Launchable['statedPaths'] = (place) => newest.statedPaths(place);
    const clock = new TestClock();
    const whileWaiting = this.waitingOf(claim, clock);
    const tested = { ...launch, isInScope, activeRefusal, writeRefusal, statedPaths };
    const limits = { launch: tested, limitMs, clock, whileWaiting, terms, refusal };
    try {
      const { checks, ...tested } = await this.found.keep(claim, begun, launch, async (found) => {
        const asked = { ...limits, found };
        const lanes = await this.tests.run(claim, begun, asked, signal);
        const left = { ...asked, limitMs: limitMs - clock.ms };
        return this.access.run(claim, begun, left, lanes, signal);
      });
      const texts = await this.sightings.textsOf(begun, tested.scan.sightings, checks);
      return this.completion(claim, () => this.results.apply(claim.reference, { ...tested, texts }));
    } catch (error) {
      const isExpected = error instanceof BeaconLostError || error instanceof HostedElsewhereError;
      if (isExpected || error instanceof UnprovenAddressError) return this.failure(claim, error.message);
      throw error;
    }
  }

  abandon(claim: Claim, error: string, limit?: string): Completion {
    return this.failure(claim, limit ?? 'It could not run because of an internal error.', { error });
  }

  /** What it waits in all attempts is kept, because its time limit is for all of them together. */
  private waitingOf(
    { reference, whileWaiting = (wait) => wait() }: Claim,
    clock: TestClock,
  ): TestLimits['whileWaiting'] {
    return async (wait) => {
      const began = performance.now();
      try {
        await clock.whileWaiting(() => whileWaiting(wait));
      } finally {
        await this.jobs.addWaited(reference, performance.now() - began);
      }
    };
  }

  /** Undefined if an earlier attempt has begun the job and recorded it. */
  private begin(claim: Claim): Promise<BegunJob | undefined> {
    const metadata = { from: 'PENDING', to: 'IN_PROGRESS' };
    return this.unitOfWork.runIfDue(auditOf(claim, 'job.begin', metadata), scope, () =>
      this.jobs.begin(scope, claim.reference),
    );
  }

  private evaluate({ organizationId, eventId, beaconId, url, depth }: Job): Promise<Launchable | LaunchRefusal> {
    const target = parseLaunchUrl(url);
    return this.rule.evaluate({ scope, organizationId, target, eventId, beaconId, depth, waitsForBeacon: true });
  }

  private failure(claim: Claim, reason: string, metadata?: Record<string, unknown>): Completion {
    return this.completion(claim, () => this.results.fail(claim.reference, reason), metadata);
  }

  private completion(claim: Claim, apply: () => Promise<void>, metadata?: Record<string, unknown>): Completion {
    return { audit: auditOf(claim, 'job.finish', metadata), apply };
  }
}

const auditOf = (claim: Claim, operation: string, metadata?: Record<string, unknown>): Completion['audit'] =>
  workAudit(claim, { operation, resourceType: 'job', metadata });

/** Active jobs take hours, so they have slots of their own. */
@Injectable()
@WorkKind(ACTIVE_JOB_KIND)
export class ActiveJobRun extends JobRun {
  readonly maxConcurrent = 3;
}
