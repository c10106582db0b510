import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CHECKS, checkById, scan, type Sighting, type PreviousFinding } from '../../../engine';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/auth/caller';
import { everything } from '../../../platform/auth/scope';
import type { Claim } from '../../../platform/work/claim';
import type { Completion, WorkHandler } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { type Markdown, MarkdownRenderer, statusAfterTest } from '../../findings';
import { JobFindingsRepository, type KnownFinding } from '../data/job-findings.repository';
import type { Job } from '../data/job.entity';
import { type BegunJob, JobsRepository } from '../data/jobs.repository';
import { checksInScope } from '../domain/checks-in-scope';
import { textOfSighting } from '../domain/sighting-text';
import { placesOf } from '../domain/tested-places';
import { EngineRuntime } from '../engine-runtime';
import { JobResults } from '../job-results';
import { jobKind } from '../jobs.service';
import { type Launchable, LaunchRule, type NotLaunchable } from '../launch-rule';

const scope = everything('a worker does the jobs of all organizations');

/** From the first attempt on, however many there are. */
const longestMs = 300_000;

const tooLong = `It was not through after ${longestMs / 60_000} minutes.`;

/** Runs the checks of a job, outside of any transaction. */
@Injectable()
export class JobRun implements WorkHandler, OnModuleInit {
  readonly kind = jobKind;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
    private readonly rule: LaunchRule,
    private readonly runtime: EngineRuntime,
    private readonly results: JobResults,
    private readonly markdown: MarkdownRenderer,
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const begun = (await this.begin(claim)) ?? (await this.jobs.findBegun(scope, claim.reference));
    // Its organization is gone, or it is over: there is nothing left to end but the claim.
    if (begun === undefined) return this.completion(claim, async () => undefined);
    const judged = await this.judge(begun);
    if (!judged.launchable) return this.failure(claim, `It may not be run any more. ${judged.reason}`);
    const limitMs = longestMs - begun.sinceStartMs;
    if (limitMs <= 0) return this.failure(claim, tooLong);
    return this.test(claim, begun, judged, limitMs, signal);
  }

  abandon(claim: Claim, error: string): Completion {
    return this.failure(claim, 'It could not be run: something failed on our side.', { error });
  }

  /** Nothing if it is not for the first time: an earlier attempt has begun it, and said so. */
  private begin(claim: Claim): Promise<BegunJob | undefined> {
    const metadata = { from: 'PENDING', to: 'IN_PROGRESS' };
    return this.unitOfWork.runIfDue(this.description(claim, 'job.begin', metadata), scope, () =>
      this.jobs.begin(scope, claim.reference),
    );
  }

  private async test(
    claim: Claim,
    job: Job,
    judged: Launchable,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Completion> {
    const { target, testScope } = judged;
    const places = placesOf(target);
    const known = await this.jobFindings.listKnownOfVisible(job, places);
    const { transport, probePolicy: policy } = this.runtime;
    const previousFindings = known.filter(isWorthALook).map(previousFindingOf);
    const { checks, leftOut } = checksInScope(CHECKS, target, testScope);
    const scanned = await scan({ target, checks, transport, via: { signal }, previousFindings, policy, limitMs });
    // Stopped in the middle, it has nothing to say.
    signal.throwIfAborted();
    const whole = { ...scanned, coverage: [...scanned.coverage, ...leftOut] };
    const texts = await this.textsOf(job, scanned.sightings);
    return this.completion(claim, () => this.results.apply(claim.reference, { judged, places, scan: whole, texts }));
  }

  /** Rendered before the unit of work begins, which holds locks: what a target sent is in these texts. */
  private async textsOf(
    { organizationId }: Job,
    sightings: readonly Sighting[],
  ): Promise<ReadonlyMap<Sighting, Markdown>> {
    const texts = new Map<Sighting, Markdown>();
    for (const sighting of sightings) {
      const text = textOfSighting(checkById(sighting.check)?.text ?? '', sighting);
      texts.set(sighting, await this.markdown.render(text, `organization ${organizationId}`));
    }
    return texts;
  }

  private judge({ organizationId, eventId, url }: Job): Promise<Launchable | NotLaunchable> {
    return this.rule.judge({ scope, organizationId, url, eventId });
  }

  private failure(claim: Claim, reason: string, metadata?: Record<string, unknown>): Completion {
    return this.completion(claim, () => this.results.fail(claim.reference, reason), metadata);
  }

  private completion(claim: Claim, apply: () => Promise<void>, metadata?: Record<string, unknown>): Completion {
    return { audit: this.description(claim, 'job.finish', metadata), apply };
  }

  private description(
    { reference, organizationId }: Claim,
    operation: string,
    metadata?: Record<string, unknown>,
  ): Completion['audit'] {
    return { actor: system, operation, resourceType: 'job', resourceId: reference, organizationId, metadata };
  }
}

/** What a test could move, and what is said to be resolved but has not been shown. */
const isWorthALook = ({ status, isShownGone }: KnownFinding): boolean =>
  statusAfterTest('fixed', status) !== null || (statusAfterTest('still_vulnerable', status) !== null && !isShownGone);

const previousFindingOf = ({ checkId, location, baseline }: KnownFinding): PreviousFinding => ({
  check: checkId,
  location,
  baseline,
});
