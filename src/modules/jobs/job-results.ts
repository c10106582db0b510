import { Injectable } from '@nestjs/common';
import type { Scan } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { FindingsService, isOpen } from '../findings';
import { JobFindingsRepository, type KnownFindingRow } from './data/job-findings.repository';
import type { Job } from './data/job.entity';
import { keyOf, rowsByPlace } from './domain/active-result';
import type { ActiveState } from './domain/active-state';
import { hostingOfJob } from './domain/hosted-job';
import { type InLane, type Lane, type LaneCoverage, type LaneScan, unprovedReason } from './domain/lanes';
import type { TestedFinding } from './domain/previous-findings';
import { throughBeacon } from '../retests';
import { JobEnds } from './job-ends';
import { type JobSighted, JobSightings, plain, type RecordedSightings, throughOf } from './job-sightings';
import { placeOf } from './known-finding';

/** What a worker found, before it is stored. */
export interface JobResult extends Omit<JobSighted, 'sightings'> {
  readonly scan: LaneScan;
  /** How each run has ended, without a session and with each account; null for a job without accounts. */
  readonly lanes: readonly Lane[] | null;
  /** The known findings that it tested again. */
  readonly previous: readonly TestedInLane[];
  /** How many were sent. */
  readonly requests: number;
  /** Null for a standard job, and for an active one that ended before its active part. */
  readonly active: ActiveState | null;
}

/** A known finding that a job tested again, with the account that saw it. */
export type TestedInLane = TestedFinding & Required<InLane>;

const scope = everything('a job writes to the organization that it belongs to');

export const FINISHED_ENDS: ReadonlySet<Scan['end']> = new Set(['complete', 'partial', 'interrupted']);

/** Stores what a job found, in the unit of work that ends the job. */
@Injectable()
export class JobResults {
  constructor(
    private readonly ends: JobEnds,
    private readonly jobFindings: JobFindingsRepository,
    private readonly sightings: JobSightings,
    private readonly findings: FindingsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async apply(
    uuid: string,
    { launch, locations, scan, texts, previous, requests, active, lanes }: JobResult,
  ): Promise<void> {
    const job = await this.ends.lock(uuid);
    if (job === undefined) return;
    const recorded = await this.sightings.record(job, { launch, locations, sightings: scan.sightings, texts });
    const fixed = await this.resolve(job, throughOf(launch), scan, previous, recorded);
    // Incomplete checks do not discard the other results: the gate lists them.
    const unproved = unprovedReason(lanes ?? []);
    const isFinished = FINISHED_ENDS.has(scan.end) && unproved === null;
    const to = isFinished ? 'FINISHED' : 'ERROR';
    await this.ends.end(job, {
      status: to,
      error: isFinished
        ? null
        : plain(throughBeacon(launch.beacon, unproved ?? scan.reason ?? 'It could not be completed.')),
      coverage: scan.coverage,
      ...hostingOfJob(launch.hosting),
      requests,
      active,
      lanes,
    });
    this.unitOfWork.note({ metadata: { from: job.status, to, findings: scan.sightings.length, fixed } });
  }

  async fail(uuid: string, reason: string): Promise<void> {
    const job = await this.ends.lock(uuid);
    if (job === undefined) return;
    const { hostedBy, hostedTarget } = job;
    await this.ends.end(job, { status: 'ERROR', error: reason, coverage: [], hostedBy, hostedTarget });
    this.unitOfWork.note({ metadata: { from: job.status, to: 'ERROR', reason } });
  }

  /**
   * A finding counts as fixed only by the verdict of repeated probes and their control, and only if they were those of its own
   * check: another finding at this place may have another template with the same id.
   */
  private async resolve(
    job: Job,
    through: string,
    { coverage, finished }: LaneScan,
    previous: readonly TestedInLane[],
    { known, seen }: RecordedSightings,
  ): Promise<number> {
    const fixed = rowsByPlace(coverage.filter(({ verdict }) => verdict?.result === 'fixed'));
    const fixOf = (one: KnownFindingRow): LaneCoverage | undefined => fixed.get(placeOf(one));
    const there = known.filter((one) => fixOf(one) !== undefined);
    const ofTemplates = there.filter(({ builtInCheck }) => builtInCheck === null).map(({ id }) => id);
    const templates = await this.jobFindings.listTemplatesOfVisible(job, ofTemplates);
    const testedAt = new Map(
      previous.toReversed().map((one) => [keyOf({ ...one.finding, account: one.account }), one]),
    );
    const resolved = there.filter((one) => {
      const tested = testedAt.get(placeOf(one));
      return tested !== undefined && tested.template === (templates.get(one.id) ?? null);
    });
    let confirmed = 0;
    for (const one of resolved) {
      const { id, mergedInto } = one;
      const finding = await this.findings.lock(scope, id);
      const at = new Date(fixOf(one)?.decided ?? finished);
      // A merged finding keeps its status, and its main finding is not fixed while the job sees one of its parts.
      const isDecisive = mergedInto === null && !seen.has(id);
      const by = fixOf(one)?.verdict?.byRefusal === undefined ? '' : ' by refusal';
      const comment = `Job ${job.uuid} tested it again${through} and confirmed that it is fixed${by}.`;
      const fix = { result: 'fixed', at, isDecisive } as const;
      const { outdatedBy } = await this.findings.applyTest(system, finding, fix, comment);
      // Another source has seen the finding since, or a person has opened it.
      if (outdatedBy === 'seen' || (outdatedBy === 'stated' && isOpen(finding.status))) continue;
      const { organizationId } = job;
      const template = templates.get(id) ?? null;
      const shown = { outcome: 'fixed', severity: null, seenAt: at, template, contradiction: null } as const;
      await this.jobFindings.save({ jobId: job.id, findingId: id, organizationId, ...shown });
      confirmed += 1;
    }
    return confirmed;
  }
}
