import { Injectable } from '@nestjs/common';
import type { Coverage } from '../../engine';
import { inTurns } from '../../kernel/in-turns';
import { isAtLeast, type Severity, severityNumber } from '../../kernel/severity';
import { Scope } from '../../platform/api/scope';
import { SecondApproval } from '../approvals';
import { type AcceptanceKind, type Acceptances, AcceptedChecksService } from '../assets';
import { isDismissed } from '../findings';
import {
  type JobContradiction,
  JobFindingsRepository,
  type KnownFindingRow,
  type SeenRow,
} from './data/job-findings.repository';
import { MAX_KNOWN } from './data/known-findings';
import type { EndedJob, Job } from './data/job.entity';
import { JobReferencesRepository } from './data/job-references.repository';
import { JobsRepository } from './data/jobs.repository';
import { UntestedFindingsRepository } from './data/untested-findings.repository';
import { keyOf, rowsByPlace } from './domain/active-result';
import { type Allowance, completionOf, type JobCompletion, untestedPointsOf } from './domain/incomplete-checks';
import { type UntestedPoints, withIncompleteChecks } from './domain/incomplete-checks';
import {
  DEFAULT_THRESHOLD,
  type EarlierFinding,
  type Gate,
  gateOf,
  type JobSuccess,
  jobSuccess,
  onceEach,
  seenOnceEach,
  type SeenFinding,
  withOtherPlaces,
  withSelection,
} from './domain/job-success';
import { type ComparedPlace, newnessBy, type Reference, referenceOf, withReference } from './domain/job-reference';
import { parseLaunchUrl } from './domain/launch-url';
import { withNextSteps } from './domain/next-steps';
import { testedLocationsOf } from './domain/tested-locations';
import {
  countedOf,
  earlierFinding,
  type IsKnown,
  learnAssets,
  type RowOfPlace,
  untestedFinding,
  untestedPlace,
} from './job-places';

/** What a pipeline asks for. */
export interface SuccessQuery {
  readonly threshold?: Severity | undefined;
  readonly allowsIncomplete?: boolean;
  /** The caller reads only whether the job succeeded, not the text or the earlier findings. */
  readonly decidesOnly?: boolean;
  /** Fails only for what this reference did not have: its name, or the id of an asset and a name. */
  readonly newSince?: string;
}

/** How many findings are read that no acceptance applies to: one of them is enough to fail the job. */
const MAX_DECISIVE = 100;
/** One more than a report may have. The others are counted unless they are surely accepted. */
const MAX_UNTESTED = 20_001;

export interface JobOutcome {
  readonly success: JobSuccess;
  readonly seen: readonly SeenFinding[];
  /** Known findings on the origin that this job did not see. */
  readonly earlier: readonly EarlierFinding[];
}

/** Computes the results of jobs for pipelines. */
@Injectable()
export class JobOutcomes {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
    private readonly untested: UntestedFindingsRepository,
    private readonly references: JobReferencesRepository,
    private readonly acceptedChecks: AcceptedChecksService,
    private readonly approval: SecondApproval,
  ) {}

  /** Whether the job succeeded, with the findings that decide it. */
  async outcomeOf(
    job: Job,
    { threshold = DEFAULT_THRESHOLD, allowsIncomplete = false, decidesOnly = false, newSince }: SuccessQuery = {},
    stored?: readonly Coverage[],
  ): Promise<JobOutcome> {
    const accepted = await this.acceptedFor(job);
    const reference = newSince === undefined ? null : await this.referenceFor(job, newSince);
    const newness = reference === null ? null : newnessBy(reference);
    const isKnown: IsKnown = (place) => newness?.(place) === 'known';
    const { all, still } = await this.placesSeenBy(job, accepted, isKnown);
    if (job.status !== 'FINISHED')
      return { success: jobSuccess(job.status, [], [], threshold, job.error), seen: all, earlier: [] };
    const locations = testedLocationsOf(parseLaunchUrl(job.url));
    const coverage = stored ?? (await this.coverageOf(job));
    const known = await this.jobFindings.listKnownOfVisible(job, locations);
    const acceptedIds = still.flatMap((one) => (one.accepted === null ? [] : one.id));
    const acceptedOnHost = accepted.checkIdsOn(locations.host, job.beaconId);
    const there = { job, locations, acceptedChecks: accepted.checkIds, acceptedIds, acceptedOnHost };
    const least = severityNumber(threshold);
    const others = decidesOnly
      ? await this.untested.listOthers(there, MAX_DECISIVE, least)
      : await this.untested.listOthers(there, MAX_UNTESTED, null);
    const acceptable = await this.untested.listAcceptable(there, MAX_UNTESTED);
    const untested = [...acceptable, ...others].toSorted(
      (one, other) => other.severity - one.severity || other.id - one.id,
    );
    // There may be thousands of rows and of findings.
    const rows = rowsByPlace(coverage);
    const rowOf: RowOfPlace = (check, location, account) => rows.get(keyOf({ check, location, account }));
    await learnAssets(accepted, [...known, ...untested]);
    const places: EarlierFinding[] = [];
    for await (const row of inTurns(known)) places.push(earlierFinding(row, job, accepted, rowOf, isKnown));
    for await (const row of inTurns(untested)) places.push(untestedFinding(row, job, accepted, isKnown));
    const counted = withOtherPlaces(still, places);
    const countedIds = new Set(counted.map(({ id }) => id));
    const earlier = onceEach(places.filter(({ id }) => !countedIds.has(id)));
    const listed = [...counted, ...earlier].map(({ id }) => id);
    const areAll = others.length < MAX_UNTESTED;
    const claims = areAll ? 0 : await this.untested.countOthers(there, least, listed);
    const isCut = known.length === MAX_KNOWN;
    const knownIds = known.map(({ id }) => id);
    const rest = isCut ? await this.jobFindings.countUnlistedOfVisible(job, locations, least, knownIds) : 0;
    const areAllAcceptable = acceptable.length < MAX_UNTESTED;
    const doubtful = areAllAcceptable ? 0 : await this.untested.countDoubtful(there, least, acceptable);
    const ofEnd = jobSuccess(job.status, counted, earlier, threshold, null, { claims, known: rest + doubtful });
    const ofFindings = withSelection(ofEnd, job.checks);
    const openChecks = isCut ? await this.openChecksAt(job) : openChecksOf(known);
    const completion = completionOf(coverage, openChecks);
    const acceptedAt = await this.acceptedIncompletenessOf(job, completion);
    const needsApproval = allowsIncomplete && (await this.approval.isRequiredOf(job.organizationId));
    const allowance = { isRequested: allowsIncomplete, needsApproval, openChecks, acceptedAt };
    const ofJob = withNextSteps(withIncompleteChecks(ofFindings, completion, allowance));
    const ofReference = [...counted, ...earlier].filter(
      (one) => one.isKnown === true && isAtLeast(one.severity, threshold),
    );
    const success = reference === null ? ofJob : withReference(ofJob, reference, ofReference.length);
    return { success, seen: withOtherPlaces(all, places), earlier };
  }

  /** The gate of a job that is about to finish with this coverage, at the default threshold. Its findings are stored. */
  async gateAtEnd(job: Job, coverage: readonly Coverage[]): Promise<Gate> {
    const { success } = await this.outcomeOf({ ...job, status: 'FINISHED' }, { decidesOnly: true }, coverage);
    return gateOf(success);
  }

  /** The insertion points that a finished job did not test and that no admin has accepted. */
  async untestedPointsOf(job: Job): Promise<UntestedPoints | null> {
    const openChecks = await this.openChecksAt(job);
    const completion = completionOf(await this.coverageOf(job), openChecks);
    const acceptedAt = await this.acceptedIncompletenessOf(job, completion);
    return untestedPointsOf(completion, { isRequested: false, openChecks, acceptedAt }, job.depth);
  }

  async seenBy(job: Job): Promise<SeenFinding[]> {
    return (await this.placesSeenBy(job, await this.acceptedFor(job), () => false)).all;
  }

  /** What a reference keeps of a finished job: what it saw, and what has no check that could see it. */
  async placesToRecord(job: Job): Promise<ComparedPlace[]> {
    const locations = testedLocationsOf(parseLaunchUrl(job.url));
    const there = { job, locations, acceptedChecks: new Set<string>(), acceptedIds: [], acceptedOnHost: [] };
    const seen = (await this.jobFindings.listSeenOfVisible(job.id)).filter(({ isGone }) => !isGone);
    return [...seen, ...(await this.untested.listOthers(there, MAX_UNTESTED, null)).map(untestedPlace)];
  }

  private async referenceFor(job: Job, text: string): Promise<Reference> {
    const { organizationId } = job;
    const { assetId, name } = referenceOf(text, job.assetId);
    const row =
      assetId === null ? undefined : await this.references.readOneOfVisible({ organizationId, assetId, name });
    if (row === undefined) return { state: 'unknown', name };
    const { findings, jobUuid, testedAt } = row;
    if (findings === null || jobUuid === null || testedAt === null) return { state: 'empty', name };
    const ids = findings.map(({ id }) => id);
    const fixed = new Set(await this.references.listFixedSince(organizationId, ids, testedAt));
    return { state: 'recorded', name, jobUuid, findings, fixed };
  }

  contradictionsOf({ id }: Job): Promise<JobContradiction[]> {
    return this.jobFindings.listContradictionsOfVisible(id);
  }

  async completionOf(job: Job): Promise<JobCompletion> {
    return this.completionWith(job, await this.coverageOf(job));
  }

  async completionWith(
    job: EndedJob & Pick<Job, 'url'>,
    coverage: Parameters<typeof completionOf>[0],
  ): Promise<JobCompletion> {
    if (!coverage.some(({ outcome }) => outcome === 'blocked')) return completionOf(coverage, new Set());
    return completionOf(coverage, await this.openChecksAt(job));
  }

  private openChecksAt(job: EndedJob & Pick<Job, 'url'>): Promise<ReadonlySet<string>> {
    return this.jobFindings.listOpenChecksOfVisible(job, testedLocationsOf(parseLaunchUrl(job.url)));
  }

  coverageOf({ id, status }: Job): Promise<readonly Coverage[]> {
    return status === 'FINISHED' ? this.jobs.findCoverageOfVisible(id) : Promise.resolve([]);
  }

  /** All findings that the job saw, and those that no later test has shown to be fixed. */
  private async placesSeenBy(
    { id, beaconId }: Job,
    accepted: Acceptances,
    isKnown: IsKnown,
  ): Promise<{ all: SeenFinding[]; still: SeenFinding[] }> {
    const rows = await this.jobFindings.listSeenOfVisible(id);
    await learnAssets(accepted, rows);
    const placeOf = (row: SeenRow): SeenFinding => ({
      ...countedOf(row, beaconId, accepted, isKnown(row)),
      setAside: isDismissed(row.status),
    });
    const still = rows.filter(({ isGone }) => !isGone);
    return { all: seenOnceEach(rows.map(placeOf)), still: seenOnceEach(still.map(placeOf)) };
  }

  private async acceptedIncompletenessOf(job: Job, { incomplete }: JobCompletion): Promise<Allowance['acceptedAt']> {
    if (incomplete.length === 0) return () => null;
    const accepted = await this.acceptedFor(job, 'incompleteness');
    const { beaconId, assetId } = job;
    await accepted.learn(incomplete.map(({ check }) => ({ check, assetId })));
    return (check, location) => accepted.find({ check, location, beaconId, assetId, finding: null });
  }

  private acceptedFor({ organizationId, url }: Job, covers: AcceptanceKind = 'findings'): Promise<Acceptances> {
    const { host } = parseLaunchUrl(url);
    return this.acceptedChecks.listActiveOnHost(Scope.organizations([organizationId]), organizationId, host, covers);
  }
}

const openChecksOf = (known: readonly KnownFindingRow[]): ReadonlySet<string> =>
  new Set(known.filter(({ isUnconfirmed }) => isUnconfirmed).map(({ checkId }) => checkId));
