import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Coverage, locationOf } from '../../engine';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import { StoredRows } from '../../platform/limits/stored-rows';
import { Work } from '../../platform/work/work';
import {
  type AcceptanceKind,
  type AcceptedCheckOfAsset,
  type AcceptedChecks,
  AcceptedChecksService,
  AssetsService,
} from '../assets';
import { isDismissed, isOpen } from '../findings';
import { OrganizationsService } from '../organizations';
import { JobFindingsRepository, type KnownFindingRow, type UntestedRow } from './data/job-findings.repository';
import type { Job } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { jobNotFound, notLaunchable, tooManyUnfinishedJobs } from './domain/job.errors';
import { type Allowance, completionOf, type JobCompletion, withIncompleteChecks } from './domain/incomplete-checks';
import { hostingOfJob } from './domain/hosted-job';
import type { JobProgress } from './domain/job-progress';
import { cancelJob, isJobOver } from './domain/job-status';
import {
  type EarlierFinding,
  type IncompleteCheck,
  type JobSuccess,
  jobSuccess,
  onceEach,
  seenOnceEach,
  type SeenFinding,
  withHint,
  withOtherPlaces,
  withSelection,
} from './domain/job-success';
import { JOB_KIND } from './domain/job-kind';
import { parseLaunchUrl } from './domain/launch-url';
import { testedLocationsOf } from './domain/tested-locations';
import { JobChecks } from './job-checks';
import { type Launchable, LaunchRule, type LaunchRefusal } from '../retests';

/** Per organization. */
const MAX_UNFINISHED = 50;

export interface LaunchParameters {
  readonly url: string;
  readonly beaconId: number | null;
  readonly eventSlug: string | null;
  /** Ids and tags; without them all built-in checks. */
  readonly checks?: readonly string[] | null;
  /** Only with the assets of this organization. */
  readonly organizationId?: number;
  readonly until?: Date | null;
}

export interface JobView {
  readonly job: Job;
  /** Among the jobs of its organization that wait for a worker; null when it does not wait. */
  readonly position: number | null;
  readonly findings: readonly SeenFinding[];
  /** Of a finished job. */
  readonly incomplete: readonly IncompleteCheck[];
}

/** What a pipeline asks for. */
export interface SuccessQuery {
  readonly threshold?: Severity | undefined;
  readonly allowsIncomplete?: boolean;
}

/** A job, and what its worker shows of it while it runs. */
export interface JobAtWork {
  readonly job: Job;
  /** Among the jobs of its organization that wait for a worker; null when it does not wait. */
  readonly position: number | null;
  /** Null before the worker has shown something, and when the job is over. */
  readonly progress: JobProgress | null;
}

export interface SuccessOfJob extends JobSuccess {
  readonly organizationId: number;
}

export interface JobOutcome {
  readonly success: JobSuccess;
  readonly seen: readonly SeenFinding[];
  /** Known findings on the origin that this job did not see. */
  readonly earlier: readonly EarlierFinding[];
}

@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
    private readonly rule: LaunchRule,
    private readonly jobChecks: JobChecks,
    private readonly organizations: OrganizationsService,
    private readonly assets: AssetsService,
    private readonly acceptedChecks: AcceptedChecksService,
    private readonly stored: StoredRows,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @OwnerOf('job')
  async ownerOf(scope: Scope, uuid: string): Promise<number | undefined> {
    return (await this.jobs.findOne(scope, uuid))?.organizationId;
  }

  async check(scope: Scope, parameters: LaunchParameters): Promise<Launchable | LaunchRefusal> {
    await this.jobChecks.select(parameters.checks ?? null);
    return this.rule.evaluate({ scope, ...parameters, target: parseLaunchUrl(parameters.url) });
  }

  async launch(caller: Caller, parameters: LaunchParameters): Promise<string> {
    const { url, checks = null, until = null } = parameters;
    const target = parseLaunchUrl(url);
    // The query of a URL may carry a token, which must not be logged.
    this.unitOfWork.note({ metadata: { url: locationOf(target) } });
    const templates = await this.jobChecks.select(checks);
    const launch = await this.rule.evaluate({ scope: caller.scope, ...parameters, target });
    if (!launch.launchable) throw notLaunchable(launch.reason);
    const { organizationId, assetId, eventId, beacon } = launch;
    const beaconId = beacon?.id ?? null;
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    const unfinished = await this.jobs.countUnfinishedOfLocked(organizationId);
    if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedJobs(MAX_UNFINISHED);
    if (await this.stored.isFull(organizationId, 'jobs')) await this.jobs.removeOldest(organizationId);
    await this.assets.lockForKeyShare(caller.scope, assetId);
    const uuid = randomUUID();
    const selection = { checks: checks === null ? null : [...checks], templates, ...hostingOfJob(launch.hosting) };
    const place = { organizationId, assetId, ...(eventId !== null && { eventId }) };
    await this.jobs.save({ ...place, uuid, eventId, beaconId, url, until, kind: JOB_KIND, ...selection });
    await this.work.enqueue({ kind: JOB_KIND, reference: uuid, ...place });
    this.unitOfWork.note({
      resourceId: uuid,
      metadata: { asset_id: assetId, beacon_id: beaconId, event: parameters.eventSlug, checks: checks ?? undefined },
    });
    return uuid;
  }

  async get(scope: Scope, uuid: string): Promise<Job> {
    return orThrow(await this.jobs.findOne(scope, uuid), jobNotFound);
  }

  async view(scope: Scope, uuid: string): Promise<JobView> {
    const job = await this.get(scope, uuid);
    const position = job.status === 'PENDING' ? await this.work.positionOf(job.kind, uuid) : null;
    const findings = await this.seenBy(job, await this.acceptedFor(job));
    const { incomplete } = completionOf(await this.coverageOf(job));
    return { job, position, findings, incomplete };
  }

  async atWork(scope: Scope, uuid: string): Promise<JobAtWork> {
    const job = await this.get(scope, uuid);
    const work = isJobOver(job.status) ? undefined : await this.work.findUnfinished(job.kind, uuid);
    const position = work?.state === 'waiting' ? await this.work.positionOf(job.kind, uuid) : null;
    return { job, position, progress: (work?.progress ?? null) as JobProgress | null };
  }

  list(scope: Scope, page: Page): Promise<Slice<Job>> {
    return this.jobs.listFor(scope, page);
  }

  /** Of each asset, newest first. */
  newestOf(scope: Scope, assetIds: readonly number[], maxEach: number): Promise<Job[]> {
    return this.jobs.listNewestOf(scope, assetIds, maxEach);
  }

  newestOfEvent(scope: Scope, eventId: number, limit: number): Promise<Job[]> {
    return this.jobs.listNewestOfEvent(scope, eventId, limit);
  }

  /** By the current status of each finding and the checks that are accepted now, which may have changed after the job. */
  async success(caller: Caller, uuid: string, query: SuccessQuery = {}): Promise<SuccessOfJob> {
    const job = await this.get(caller.scope, uuid);
    const { organizationId, status } = job;
    if (status !== 'FINISHED') return { ...jobSuccess(status, [], [], query.threshold, job.error), organizationId };
    const { success: outcome } = await this.outcomeOf(job, query);
    if (outcome.success === true && outcome.allowed.length > 0) await this.recordAllowance(caller, job, outcome);
    const mayAccept = caller.hasRole('admin', organizationId) && caller.key.scopes.includes('write');
    return { ...(mayAccept ? withHint(outcome) : outcome), organizationId };
  }

  /** Whether the job succeeded, with the findings that decide it. */
  async outcomeOf(job: Job, { threshold, allowsIncomplete = false }: SuccessQuery = {}): Promise<JobOutcome> {
    const accepted = await this.acceptedFor(job);
    const seenPlaces = await this.seenBy(job, accepted);
    if (job.status !== 'FINISHED')
      return { success: jobSuccess(job.status, [], [], threshold, job.error), seen: seenPlaces, earlier: [] };
    const locations = testedLocationsOf(parseLaunchUrl(job.url));
    const coverage = await this.coverageOf(job);
    const known = await this.jobFindings.listKnownOfVisible(job, locations);
    const untested = await this.jobFindings.listUntestedOfVisible(job, locations);
    const places = [
      ...known.map((row) => earlierFinding(row, job, accepted, coverage)),
      ...untested.map((row) => untestedFinding(row, job, accepted)),
    ];
    const seen = withOtherPlaces(seenPlaces, places);
    const seenIds = new Set(seen.map(({ id }) => id));
    const earlier = onceEach(places.filter(({ id }) => !seenIds.has(id)));
    const ofFindings = withSelection(jobSuccess(job.status, seen, earlier, threshold), job.checks);
    const completion = completionOf(coverage);
    const acceptedAt = await this.acceptedIncompletenessOf(job, completion);
    const allowance = { isRequested: allowsIncomplete, openChecks: openChecksOf(known), acceptedAt };
    return { success: withIncompleteChecks(ofFindings, completion, allowance), seen, earlier };
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
    this.unitOfWork.note({ metadata: { from: job.status, to: 'CANCELED' } });
    if (cancelJob(job.status) === 'canceled') await this.jobs.saveCanceled(job.id);
  }

  private coverageOf({ id, status }: Job): Promise<readonly Coverage[]> {
    return status === 'FINISHED' ? this.jobs.findCoverageOfVisible(id) : Promise.resolve([]);
  }

  /** A pipeline continues although something was not tested: the audit log says who allowed that. */
  private recordAllowance(caller: Caller, { uuid, organizationId }: Job, { allowed }: JobSuccess): Promise<void> {
    const metadata = { checks: [...new Set(allowed.map(({ check }) => check))] };
    const description = { operation: 'job.allow_incomplete', resourceType: 'job', resourceId: uuid } as const;
    const entry = { actor: caller.actor, organizationId, metadata, ...description };
    return this.unitOfWork.run(entry, caller.scope, () => Promise.resolve());
  }

  private async seenBy({ id, beaconId }: Job, accepted: Accepted): Promise<SeenFinding[]> {
    const rows = await this.jobFindings.listSeenOfVisible(id);
    const places = rows.map(({ id: findingId, title, severity, status, checkId, builtInCheck, location }) => ({
      id: findingId,
      title,
      severity: severityOf(severity),
      place: location,
      check: checkId,
      setAside: isDismissed(status),
      accepted: accepted.find(builtInCheck, location, beaconId),
    }));
    return seenOnceEach(places);
  }

  private async acceptedIncompletenessOf(job: Job, { incomplete }: JobCompletion): Promise<Allowance['acceptedAt']> {
    if (incomplete.length === 0) return () => null;
    const accepted = await this.acceptedFor(job, 'incompleteness');
    return (check, location) => accepted.find(check, location, job.beaconId);
  }

  private acceptedFor({ organizationId, url }: Job, covers: AcceptanceKind = 'findings'): Promise<Accepted> {
    const { host } = parseLaunchUrl(url);
    return this.acceptedChecks.listActiveOnHost(Scope.organizations([organizationId]), organizationId, host, covers);
  }
}

type Accepted = AcceptedChecks<AcceptedCheckOfAsset>;

/** The checks of findings there that are open, or whose fix no test has confirmed. */
const openChecksOf = (known: readonly KnownFindingRow[]): ReadonlySet<string> =>
  new Set(
    known
      .filter(({ status, isConfirmedFixed }) => isOpen(status) || (!isDismissed(status) && !isConfirmedFixed))
      .map(({ checkId }) => checkId),
  );

const severityOf = (number: number): Severity => SEVERITIES[number] ?? 'cosmic';

const untestedFinding = (
  { id, title, severity, checkId, builtInCheck, location }: UntestedRow,
  { beaconId }: Job,
  accepted: Accepted,
): EarlierFinding => ({
  id,
  title,
  severity: severityOf(severity),
  place: location,
  check: checkId,
  unconfirmed: true,
  confirmedFixed: false,
  reason: checkId === null ? 'it has no check' : `its check is for ${location}, where this job sent nothing`,
  accepted: accepted.find(builtInCheck, location, beaconId),
});

const ONLY_MERGED = 'only what is merged into it was tested';
const NOT_RUN = 'this job did not run its check';

/** What the test of a known finding ended with, or what the check saw. */
function reasonOf(coverage: readonly Coverage[], check: string, location: string): string | undefined {
  const tested = coverage.find((one) => one.check === check && one.location === location);
  return tested?.verdict?.reason ?? tested?.reason;
}

const earlierFinding = (
  {
    id,
    mergedInto,
    title,
    severity,
    status,
    isConfirmedFixed,
    outcome,
    checkId,
    builtInCheck,
    location,
  }: KnownFindingRow,
  { beaconId }: Job,
  accepted: Accepted,
  coverage: readonly Coverage[],
): EarlierFinding => ({
  id: mergedInto ?? id,
  title,
  severity: severityOf(severity),
  place: location,
  check: checkId,
  unconfirmed: isOpen(status) || (!isDismissed(status) && !isConfirmedFixed),
  // A fix of the place of a merged finding is none of its main finding.
  confirmedFixed: mergedInto === null && outcome === 'fixed',
  reason: mergedInto !== null && outcome === 'fixed' ? ONLY_MERGED : (reasonOf(coverage, checkId, location) ?? NOT_RUN),
  accepted: accepted.find(builtInCheck, location, beaconId),
});
