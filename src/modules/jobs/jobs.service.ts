import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { locationOf } from '../../engine';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { TestDepth } from '../../kernel/test-depth';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import type { Job } from './data/job.entity';
import type { JobContradiction } from './data/job-findings.repository';
import { JobsRepository } from './data/jobs.repository';
import { jobNotFound, notLaunchable } from './domain/job.errors';
import { hostingOfJob } from './domain/hosted-job';
import type { JobProgress } from './domain/job-progress';
import { cancelJob, isJobOver } from './domain/job-status';
import {
  type IncompleteCheck,
  type JobSuccess,
  heldSuccess,
  jobSuccess,
  type SeenFinding,
  withHint,
} from './domain/job-success';
import { kindOfJob } from './domain/job-kind';
import type { Lane } from './domain/lanes';
import { type JobWaiting, waitingOf } from './domain/job-waiting';
import { parseLaunchUrl } from './domain/launch-url';
import { requireSeedsAllowed, seedsFor, type StatedSeeds } from './domain/seeds';
import { JobAccounts } from './job-accounts';
import { JobChecks } from './job-checks';
import { JobOutcomes, type SuccessQuery } from './job-outcomes';
import { JobRoom } from './job-room';
import { type Launchable, LaunchRule, type LaunchRefusal } from '../retests';

export interface LaunchParameters {
  readonly url: string;
  readonly beaconId: number | null;
  readonly eventSlug: string | null;
  /** Ids and tags; without them all built-in checks. */
  readonly checks?: readonly string[] | null;
  /** Only with the assets of this organization. */
  readonly organizationId?: number;
  readonly until?: Date | null;
  readonly depth?: TestDepth;
  readonly seeds?: StatedSeeds;
  /** The accounts, by id or name, that it signs in with after its run without a session. */
  readonly accounts?: readonly (string | number)[];
}

export interface JobView {
  readonly job: Job;
  /** Null when it does not wait for a worker. */
  readonly waiting: JobWaiting | null;
  readonly findings: readonly SeenFinding[];
  /** Of a finished job. */
  readonly incomplete: readonly IncompleteCheck[];
  readonly refused: readonly IncompleteCheck[];
  readonly contradictions: readonly JobContradiction[];
  readonly lanes: readonly Lane[];
}

/** A job, and what its worker shows of it while it runs. */
export interface JobAtWork {
  readonly job: Job;
  /** Null when it does not wait for a worker. */
  readonly waiting: JobWaiting | null;
  /** Null before the worker has shown something, and when the job is over. */
  readonly progress: JobProgress | null;
}

export interface SuccessOfJob extends JobSuccess {
  readonly organizationId: number;
}

@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly outcomes: JobOutcomes,
    private readonly rule: LaunchRule,
    private readonly jobChecks: JobChecks,
    private readonly accounts: JobAccounts,
    private readonly room: JobRoom,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @OwnerOf('job')
  async ownerOf(scope: Scope, uuid: string): Promise<number | undefined> {
    return (await this.jobs.findOne(scope, uuid))?.organizationId;
  }

  async check(scope: Scope, parameters: LaunchParameters): Promise<Launchable | LaunchRefusal> {
    await this.jobChecks.select(parameters.checks ?? null, parameters.depth);
    return this.rule.evaluate({ scope, ...parameters, target: parseLaunchUrl(parameters.url) });
  }

  async launch(caller: Caller, parameters: LaunchParameters): Promise<string> {
    const { url, checks = null, until = null, depth = 'standard' } = parameters;
    const target = parseLaunchUrl(url);
    // The query of a URL may carry a token, which must not be logged.
    this.unitOfWork.note({ metadata: { url: locationOf(target) } });
    requireSeedsAllowed(depth, parameters.seeds);
    const templates = await this.jobChecks.select(checks, depth);
    const launch = await this.rule.evaluate({ scope: caller.scope, ...parameters, target });
    if (!launch.launchable) throw notLaunchable(launch.reason);
    const { organizationId, assetId, eventId, beacon } = launch;
    const beaconId = beacon?.id ?? null;
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    const accounts = await this.accounts.requireLaunchable(caller, launch, parameters.accounts ?? []);
    // Checked before the seeds as well, because reading them takes long.
    await this.room.require(organizationId);
    const seeds = await seedsFor(parameters.seeds, target);
    await this.room.take(caller.scope, organizationId, assetId);
    const uuid = randomUUID();
    const selection = { checks: checks === null ? null : [...checks], templates, ...hostingOfJob(launch.hosting) };
    const place = { organizationId, assetId, ...(eventId !== null && { eventId }) };
    const kind = kindOfJob(depth);
    const startedBy = caller.waitingUserId;
    await this.jobs.save({
      ...place,
      uuid,
      eventId,
      beaconId,
      url,
      until,
      kind,
      depth,
      seeds,
      startedBy,
      accounts: accounts.length === 0 ? null : accounts,
      ...selection,
    });
    await this.work.enqueue({ kind, reference: uuid, ...place });
    this.unitOfWork.note({
      resourceId: uuid,
      metadata: {
        asset_id: assetId,
        beacon_id: beaconId,
        event: parameters.eventSlug,
        checks: checks ?? undefined,
        depth,
        ...(accounts.length > 0 && { accounts: accounts.map(({ name }) => name) }),
      },
    });
    return uuid;
  }

  async get(scope: Scope, uuid: string): Promise<Job> {
    return orThrow(await this.jobs.findOne(scope, uuid), jobNotFound);
  }

  async view(scope: Scope, uuid: string): Promise<JobView> {
    const job = await this.get(scope, uuid);
    const waiting = await this.waitingOf(job);
    const findings = await this.outcomes.seenBy(job);
    const contradictions = await this.outcomes.contradictionsOf(job);
    const lanes = await this.lanesOfVisible(job);
    return { job, waiting, findings, contradictions, lanes, ...(await this.outcomes.completionOf(job)) };
  }

  /** Empty until the job ends, and for a job without accounts. */
  async lanesOfVisible({ id, accounts }: Job): Promise<readonly Lane[]> {
    if (accounts === null) return [];
    return (await this.jobs.findLanesOfVisible(id)) ?? [];
  }

  async atWork(scope: Scope, uuid: string): Promise<JobAtWork> {
    const job = await this.get(scope, uuid);
    const work = isJobOver(job.status) ? undefined : await this.work.findUnfinished(job.kind, uuid);
    const waiting = work?.state === 'waiting' ? await this.waitingOf(job) : null;
    return { job, waiting, progress: (work?.progress ?? null) as JobProgress | null };
  }

  private async waitingOf({ kind, uuid, status, created }: Job): Promise<JobWaiting | null> {
    const work = isJobOver(status) ? undefined : await this.work.findWaiting(kind, uuid);
    return work === undefined ? null : waitingOf(work, kind, created);
  }

  list(scope: Scope, page: Page): Promise<Slice<Job>> {
    return this.jobs.listFor(scope, page);
  }

  /** Newest first. */
  listFailed(scope: Scope, organizationId: number, since: Date, page: Page): Promise<Slice<Job>> {
    return this.jobs.listFailed(scope, organizationId, since, page);
  }

  /** The newest jobs of each asset, newest first. */
  newestOf(scope: Scope, assetIds: readonly number[], maxEach: number): Promise<Job[]> {
    return this.jobs.listNewestOf(scope, assetIds, maxEach);
  }

  newestOfEvent(scope: Scope, eventId: number, limit: number): Promise<Job[]> {
    return this.jobs.listNewestOfEvent(scope, eventId, limit);
  }

  /** Uses the current status of each finding and the checks that are accepted now: both may have changed since the job ended. */
  async success(caller: Caller, uuid: string, query: SuccessQuery = {}): Promise<SuccessOfJob> {
    const job = await this.get(caller.scope, uuid);
    const { organizationId, status } = job;
    if (!isJobOver(status) && (await this.work.findWaiting(job.kind, uuid))?.isHeld === true)
      return { ...heldSuccess, organizationId };
    if (status !== 'FINISHED') return { ...jobSuccess(status, [], [], query.threshold, job.error), organizationId };
    const { success: outcome } = await this.outcomes.outcomeOf(job, query);
    if (outcome.success === true && outcome.allowed.length > 0) await this.recordAllowance(caller, job, outcome);
    const mayAccept = caller.hasRole('admin', organizationId) && caller.key.scopes.includes('write');
    return { ...(mayAccept ? withHint(outcome) : outcome), organizationId };
  }

  /**
   * Locks the work before the job, in the order of a worker that ends it. If the job has finished by then, the conflict
   * rolls back the cancellation of the work.
   */
  async cancel(caller: Caller, uuid: string): Promise<void> {
    const { organizationId, kind } = await this.get(caller.scope, uuid);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    await this.work.cancel(kind, uuid);
    const job = orThrow(await this.jobs.lockOne(caller.scope, uuid), jobNotFound);
    const findings = job.status === 'IN_PROGRESS' ? (await this.outcomes.seenBy(job)).length : undefined;
    this.unitOfWork.note({ metadata: { from: job.status, to: 'CANCELED', findings } });
    if (cancelJob(job.status) === 'canceled') await this.jobs.saveCanceled(job.id);
  }

  /** A pipeline continues although something was not tested: the audit log says who allowed that. */
  private recordAllowance(caller: Caller, { uuid, organizationId }: Job, { allowed }: JobSuccess): Promise<void> {
    const metadata = { checks: [...new Set(allowed.map(({ check }) => check))] };
    const description = { operation: 'job.allow_incomplete', resourceType: 'job', resourceId: uuid } as const;
    const entry = { actor: caller.actor, organizationId, metadata, ...description };
    return this.unitOfWork.run(entry, caller.scope, () => Promise.resolve());
  }
}
