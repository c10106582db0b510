import { Injectable } from '@nestjs/common';
import type { Coverage } from '../../engine';
import { SEVERITIES, type Severity, severityNumber } from '../../kernel/severity';
import { Scope } from '../../platform/api/scope';
import { type AcceptanceKind, type AcceptedCheckOfAsset, type AcceptedChecks, AcceptedChecksService } from '../assets';
import { isDismissed, isOpen } from '../findings';
import {
  type JobContradiction,
  JobFindingsRepository,
  type KnownFindingRow,
  type SeenRow,
} from './data/job-findings.repository';
import type { EndedJob, Job } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { type UntestedRow, UntestedFindingsRepository } from './data/untested-findings.repository';
import { type Allowance, completionOf, type JobCompletion, withIncompleteChecks } from './domain/incomplete-checks';
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
import { parseLaunchUrl } from './domain/launch-url';
import { withNextSteps } from './domain/next-steps';
import { testedLocationsOf } from './domain/tested-locations';

/** What a pipeline asks for. */
export interface SuccessQuery {
  readonly threshold?: Severity | undefined;
  readonly allowsIncomplete?: boolean;
  /** The caller reads whether it succeeded, and neither the text nor the earlier findings. */
  readonly decidesOnly?: boolean;
}

/** No acceptance concerns them, so that one of them fails the job. */
const MAX_DECISIVE = 100;
/** One more than a report may have. The others are counted. */
const MAX_UNTESTED = 20_001;

export interface JobOutcome {
  readonly success: JobSuccess;
  readonly seen: readonly SeenFinding[];
  /** Known findings on the origin that this job did not see. */
  readonly earlier: readonly EarlierFinding[];
}

/** What jobs say to pipelines. */
@Injectable()
export class JobOutcomes {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
    private readonly untested: UntestedFindingsRepository,
    private readonly acceptedChecks: AcceptedChecksService,
  ) {}

  /** Whether the job succeeded, with the findings that decide it. */
  async outcomeOf(
    job: Job,
    { threshold = DEFAULT_THRESHOLD, allowsIncomplete = false, decidesOnly = false }: SuccessQuery = {},
    stored?: readonly Coverage[],
  ): Promise<JobOutcome> {
    const accepted = await this.acceptedFor(job);
    const { all, still } = await this.placesSeenBy(job, accepted);
    if (job.status !== 'FINISHED')
      return { success: jobSuccess(job.status, [], [], threshold, job.error), seen: all, earlier: [] };
    const locations = testedLocationsOf(parseLaunchUrl(job.url));
    const coverage = stored ?? (await this.coverageOf(job));
    const known = await this.jobFindings.listKnownOfVisible(job, locations);
    const acceptedIds = still.flatMap((one) => (one.accepted === null ? [] : one.id));
    const there = { job, locations, acceptedChecks: accepted.checkIds, acceptedIds };
    const least = severityNumber(threshold);
    const others = decidesOnly
      ? await this.untested.listOthers(there, MAX_DECISIVE, least)
      : await this.untested.listOthers(there, MAX_UNTESTED, null);
    const acceptable = await this.untested.listAcceptable(there);
    const untested = [...acceptable, ...others].toSorted(
      (one, other) => other.severity - one.severity || other.id - one.id,
    );
    const places = [
      ...known.map((row) => earlierFinding(row, job, accepted, coverage)),
      ...untested.map((row) => untestedFinding(row, job, accepted)),
    ];
    const counted = withOtherPlaces(still, places);
    const countedIds = new Set(counted.map(({ id }) => id));
    const earlier = onceEach(places.filter(({ id }) => !countedIds.has(id)));
    const listed = [...counted, ...earlier].map(({ id }) => id);
    const areAll = others.length < MAX_UNTESTED;
    const further = areAll ? 0 : await this.untested.countOthers(there, least, listed);
    const ofEnd = jobSuccess(job.status, counted, earlier, threshold, null, further);
    const ofFindings = withSelection(ofEnd, job.checks);
    const openChecks = openChecksOf(known);
    const completion = completionOf(coverage, openChecks);
    const acceptedAt = await this.acceptedIncompletenessOf(job, completion);
    const allowance = { isRequested: allowsIncomplete, openChecks, acceptedAt };
    const success = withNextSteps(withIncompleteChecks(ofFindings, completion, allowance));
    return { success, seen: withOtherPlaces(all, places), earlier };
  }

  /** Of a job that is about to finish with this coverage, with the default threshold. Its findings are stored. */
  async gateAtEnd(job: Job, coverage: readonly Coverage[]): Promise<Gate> {
    const { success } = await this.outcomeOf({ ...job, status: 'FINISHED' }, { decidesOnly: true }, coverage);
    return gateOf(success);
  }

  async seenBy(job: Job): Promise<SeenFinding[]> {
    return (await this.placesSeenBy(job, await this.acceptedFor(job))).all;
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
    const locations = testedLocationsOf(parseLaunchUrl(job.url));
    return completionOf(coverage, openChecksOf(await this.jobFindings.listKnownOfVisible(job, locations)));
  }

  coverageOf({ id, status }: Job): Promise<readonly Coverage[]> {
    return status === 'FINISHED' ? this.jobs.findCoverageOfVisible(id) : Promise.resolve([]);
  }

  /** All that the job saw, and what of it no later test has shown to be fixed. */
  private async placesSeenBy(
    { id, beaconId }: Job,
    accepted: Accepted,
  ): Promise<{ all: SeenFinding[]; still: SeenFinding[] }> {
    const rows = await this.jobFindings.listSeenOfVisible(id);
    const placeOf = (row: SeenRow): SeenFinding => ({
      ...countedOf(row, beaconId, accepted),
      setAside: isDismissed(row.status),
    });
    const still = rows.filter(({ isGone }) => !isGone);
    return { all: seenOnceEach(rows.map(placeOf)), still: seenOnceEach(still.map(placeOf)) };
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

const countedOf = (
  { id, title, severity, checkId, builtInCheck, location }: UntestedRow,
  beaconId: number | null,
  accepted: Accepted,
) => ({
  id,
  title,
  severity: severityOf(severity),
  place: location,
  check: checkId,
  accepted: accepted.find(builtInCheck, location, beaconId),
});

const untestedFinding = (row: UntestedRow, { beaconId }: Job, accepted: Accepted): EarlierFinding => ({
  ...countedOf(row, beaconId, accepted),
  unconfirmed: true,
  confirmedFixed: false,
  undecided: null,
  reason: row.checkId === null ? 'it has no check' : `its check is for ${row.location}, where this job sent nothing`,
});

const ONLY_MERGED = 'only what is merged into it was tested';
const NOT_RUN = 'this job did not run its check';

/** What the test of a known finding ended with, or what the check saw. */
function testOf(coverage: readonly Coverage[], check: string, location: string) {
  const tested = coverage.find((one) => one.check === check && one.location === location);
  if (tested === undefined) return undefined;
  const { reason, refusal = null } = tested.verdict ?? tested;
  const result = tested.verdict?.result ?? tested.outcome;
  const byRefusal = tested.verdict?.byRefusal !== undefined;
  return {
    reason,
    byRefusal,
    undecided: result === 'inconclusive' || result === 'blocked' ? { result, refusal } : null,
  };
}

const earlierFinding = (
  row: KnownFindingRow,
  { beaconId }: Job,
  accepted: Accepted,
  coverage: readonly Coverage[],
): EarlierFinding => {
  const { mergedInto, status, isConfirmedFixed, outcome } = row;
  return {
    ...countedOf(row, beaconId, accepted),
    id: mergedInto ?? row.id,
    unconfirmed: isOpen(status) || (!isDismissed(status) && !isConfirmedFixed),
    // A fix of the place of a merged finding is none of its main finding.
    confirmedFixed: mergedInto === null && outcome === 'fixed',
    ...(mergedInto !== null && outcome === 'fixed'
      ? { reason: ONLY_MERGED, undecided: null }
      : (testOf(coverage, row.checkId, row.location) ?? { reason: NOT_RUN, undecided: null })),
  };
};
