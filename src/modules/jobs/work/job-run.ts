import { Injectable } from '@nestjs/common';
import { type Check, type ObservedExchange, scan, type ScanRequest, type Sighting, type Target } from '../../../engine';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { WorkProgress } from '../../../platform/work/work-progress';
import { type Markdown, MarkdownRenderer } from '../../findings';
import { JobFindingsRepository } from '../data/job-findings.repository';
import type { Job } from '../data/job.entity';
import { type BegunJob, JobsRepository } from '../data/jobs.repository';
import { passivePlan } from '../domain/hosted-job';
import { previousFindingsOf } from '../domain/previous-findings';
import { JOB_KIND, WINDOW_CLOSED } from '../domain/job-kind';
import { JobProgressLog } from '../domain/job-progress';
import { parseLaunchUrl } from '../domain/launch-url';
import { textOfSighting } from '../domain/sighting-text';
import { testedLocationsOf } from '../domain/tested-locations';
import { JobChecks } from '../job-checks';
import { JobResults } from '../job-results';

import {
  BeaconLostError,
  BeaconTests,
  EngineRuntime,
  HostedElsewhereError,
  hostingLimit,
  type Launchable,
  type LaunchRefusal,
  LaunchRule,
  TestedPages,
} from '../../retests';

const scope = everything('a worker runs the jobs of all organizations');

/** From the start of the first attempt, for all attempts together. */
const MAX_DURATION_MS = 300_000;

const TIME_LIMIT_EXCEEDED = `It did not finish within ${MAX_DURATION_MS / 60_000} minutes.`;

/** What limits a job besides its time. */
export interface JobTerms {
  /** When nothing more may be sent, and why. */
  readonly end?: { readonly at: Date; readonly reason: string };
  /** To the target; at most what the operator allows. */
  readonly requestsPerSecond?: number;
}

/** Runs the checks of a job, outside any transaction. */
@Injectable()
@WorkKind(JOB_KIND)
export class JobRun implements WorkHandler {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
    private readonly rule: LaunchRule,
    private readonly jobChecks: JobChecks,
    private readonly runtime: EngineRuntime,
    private readonly results: JobResults,
    private readonly markdown: MarkdownRenderer,
    private readonly unitOfWork: UnitOfWork,
    private readonly progress: WorkProgress,
    private readonly tests: BeaconTests,
    private readonly pages: TestedPages,
  ) {}

  async perform(claim: Claim, signal: AbortSignal, stated: JobTerms = {}): Promise<Completion> {
    const begun = (await this.begin(claim)) ?? (await this.jobs.findBegun(scope, claim.reference));
    // The organization was deleted or the job is over: only the claim is left to complete.
    if (begun === undefined) return this.completion(claim, async () => undefined);
    const terms = begun.until === null ? stated : { end: { at: begun.until, reason: WINDOW_CLOSED }, ...stated };
    const launch = await this.evaluate(begun);
    if (!launch.launchable) return this.failure(claim, `It may no longer run. ${launch.reason}`);
    const limitMs = MAX_DURATION_MS - begun.sinceStartMs;
    if (limitMs <= 0) return this.failure(claim, TIME_LIMIT_EXCEEDED);
    try {
      return await this.test(claim, begun, { launch, limitMs, terms }, signal);
    } catch (error) {
      if (error instanceof BeaconLostError || error instanceof HostedElsewhereError)
        return this.failure(claim, error.message);
      throw error;
    }
  }

  abandon(claim: Claim, error: string, limit?: string): Completion {
    return this.failure(claim, limit ?? 'It could not run because of an internal error.', { error });
  }

  /** Undefined if an earlier attempt has begun the job and recorded it. */
  private begin(claim: Claim): Promise<BegunJob | undefined> {
    const metadata = { from: 'PENDING', to: 'IN_PROGRESS' };
    return this.unitOfWork.runIfDue(auditOf(claim, 'job.begin', metadata), scope, () =>
      this.jobs.begin(scope, claim.reference),
    );
  }

  private async test(
    claim: Claim,
    job: Job,
    { launch, limitMs, terms }: { readonly launch: Launchable; readonly limitMs: number; readonly terms: JobTerms },
    signal: AbortSignal,
  ): Promise<Completion> {
    const { target, testScope } = launch;
    const locations = testedLocationsOf(target);
    const known = await this.jobFindings.listKnownOfVisible(job, locations);
    const { transport, probePolicy: policy } = this.runtime;
    const { checks, skipped } = await this.jobChecks.load(job);
    const ofTemplates = known
      .filter(({ builtInCheck }) => builtInCheck === null)
      .filter(({ checkId }) => checks.some(({ id }) => id === checkId));
    const templates = await this.jobFindings.listTemplatesOfVisible(
      job,
      ofTemplates.map(({ id }) => id),
    );
    const previous = previousFindingsOf(known, checks, templates);
    const previousFindings = previous.map(({ finding }) => finding);
    const isInScope = (place: Target): boolean => testScope?.includes(place) ?? true;
    const end = performance.now() + limitMs;
    let observer = new JobProgressLog();
    let hosting = launch.hosting;
    let requests = 0;
    const scanned = await this.progress.track(
      claim,
      () => observer.progress,
      () =>
        this.tests.run(launch, { ...claim, limitMs }, signal, async (run) => {
          const observe = (exchange: ObservedExchange): void => {
            requests += 1;
            run.observe?.(exchange);
          };
          const via = { ...run, observe, ...this.runtime.paceOf(terms.requestsPerSecond) };
          observer = new JobProgressLog();
          const left = Math.ceil(Math.max(1, end - performance.now()));
          hosting = await hostingLimit(launch, checks, via);
          const plan = passivePlan(hosting, { checks, skipped, previousFindings });
          const request = { target, ...plan, transport, via, policy, observer, isInScope };
          const result = await scan({ ...request, limitMs: left, ...interruptionOf(terms) });
          // An interrupted scan has no result.
          via.signal.throwIfAborted();
          return result;
        }),
    );
    await this.pages.keep(launch, scanned.look);
    const texts = await this.textsOf(job, scanned.sightings, checks);
    return this.completion(claim, () =>
      this.results.apply(claim.reference, {
        launch: { ...launch, hosting },
        locations,
        scan: scanned,
        texts,
        previous,
        requests,
      }),
    );
  }

  /** Rendered before the unit of work, which holds locks: these texts quote what a target sent, so rendering may take long. */
  private async textsOf(
    { organizationId }: Job,
    sightings: readonly Sighting[],
    checks: readonly Check[],
  ): Promise<ReadonlyMap<Sighting, Markdown>> {
    const texts = new Map<Sighting, Markdown>();
    const aboutOf = new Map(checks.map(({ id, text }) => [id, text]));
    for (const sighting of sightings) {
      const text = textOfSighting(aboutOf.get(sighting.check) ?? '', sighting);
      texts.set(sighting, await this.markdown.render(text, `organization ${organizationId}`));
    }
    return texts;
  }

  private evaluate({ organizationId, eventId, beaconId, url }: Job): Promise<Launchable | LaunchRefusal> {
    const target = parseLaunchUrl(url);
    return this.rule.evaluate({ scope, organizationId, target, eventId, beaconId, waitsForBeacon: true });
  }

  private failure(claim: Claim, reason: string, metadata?: Record<string, unknown>): Completion {
    return this.completion(claim, () => this.results.fail(claim.reference, reason), metadata);
  }

  private completion(claim: Claim, apply: () => Promise<void>, metadata?: Record<string, unknown>): Completion {
    return { audit: auditOf(claim, 'job.finish', metadata), apply };
  }
}

const interruptionOf = ({ end }: JobTerms): Pick<ScanRequest, 'interruption'> =>
  end === undefined ? {} : { interruption: { inMs: end.at.getTime() - Date.now(), reason: end.reason } };

const auditOf = (claim: Claim, operation: string, metadata?: Record<string, unknown>): Completion['audit'] =>
  workAudit(claim, { operation, resourceType: 'job', metadata });
