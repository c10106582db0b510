import { Injectable } from '@nestjs/common';
import type { Coverage } from '../../engine';
import type { Severity } from '../../kernel/severity';
import type { Scope } from '../../platform/api/scope';
import { ActiveTestsService, type ActiveView } from './active-tests.service';
import type { Job } from './data/job.entity';
import { type JobContradiction, type JobEndRow, JobFindingsRepository } from './data/job-findings.repository';
import { JobsRepository } from './data/jobs.repository';
import { CoverageByAsset, type CoverageSummary } from './domain/coverage-summary';
import { DEFAULT_THRESHOLD, type JobSuccess } from './domain/job-success';
import { type JobOutcome, JobOutcomes } from './job-outcomes';
import { JobsService } from './jobs.service';

/** What a job showed of a finding: `not_seen` findings were known before, and their fix is not confirmed. */
export interface JobFindingSummary {
  readonly outcome: 'seen' | 'fixed' | 'not_seen';
  /** Of a fix: a refusal counts as it. */
  readonly byRefusal: boolean;
  readonly title: string;
  /** As found by the job; for other findings that of the finding. */
  readonly severity: Severity;
  /** Whether a pipeline stops because of it. */
  readonly failsGate: boolean;
}

export interface JobSummary {
  readonly job: Job;
  readonly gate: Pick<JobSuccess, 'success' | 'description'> & { readonly severity: Severity };
  /** Of the gate, in parts. */
  readonly success: JobSuccess;
  readonly coverage: readonly (Pick<Coverage, 'check' | 'location' | 'outcome' | 'reason'> & {
    /** Of a blocked one: whether it counts as one that was not completed. */
    readonly incomplete?: boolean;
  })[];
  /** The checks whose finding is fixed because a refusal counts as the fix. */
  readonly fixedByRefusal: ReadonlySet<string>;
  /** Of the asset of the job; null if it was deleted or the job tested nothing. */
  readonly assetCoverage: CoverageSummary | null;
  /** Null of a standard job. */
  readonly active: ActiveView | null;
  /** By the id of the finding. */
  readonly findings: ReadonlyMap<number, JobFindingSummary>;
  readonly contradictions: readonly JobContradiction[];
}

/** A job in a list. */
export interface JobOutline {
  readonly job: Job;
  /** As it was stored: a list that computed it for each job would read all findings of their hosts. */
  readonly end: JobEndRow | undefined;
}

/** Summarizes jobs for reports and lists. */
@Injectable()
export class JobSummaryService {
  constructor(
    private readonly jobs: JobsService,
    private readonly outcomes: JobOutcomes,
    private readonly repository: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
    private readonly active: ActiveTestsService,
  ) {}

  /** What a list shows of each job, in the order of the jobs. */
  async outlinesOf(jobs: readonly Job[]): Promise<JobOutline[]> {
    const rows = await this.jobFindings.listEndsOfVisible(jobs.map(({ id }) => id));
    const ends = new Map(rows.map((row) => [row.id, row]));
    return jobs.map((job) => ({ job, end: ends.get(job.id) }));
  }

  async summaryOf(scope: Scope, uuid: string, severity: Severity = DEFAULT_THRESHOLD): Promise<JobSummary> {
    const job = await this.jobs.get(scope, uuid);
    const jobOutcome = await this.outcomes.outcomeOf(job, { threshold: severity });
    const { success } = jobOutcome;
    const coverage = await this.repository.findCoverageOfVisible(job.id);
    return {
      job,
      gate: { severity, success: success.success, description: success.description },
      success,
      coverage: coverage.map(({ check, location, outcome, reason }) => ({
        check,
        location,
        outcome,
        reason,
        ...(outcome === 'blocked' && {
          incomplete: success.incomplete.some((one) => one.check === check && one.location === location),
        }),
      })),
      fixedByRefusal: new Set(
        coverage.filter(({ verdict }) => verdict?.byRefusal !== undefined).map(({ check }) => check),
      ),
      assetCoverage: assetCoverageOf(job, coverage, jobOutcome.success),
      active: await this.active.viewOfVisible(job),
      findings: findingsOf(jobOutcome),
      contradictions: await this.outcomes.contradictionsOf(job),
    };
  }
}

function assetCoverageOf(
  { assetId, url, finished, error }: Job,
  coverage: readonly Coverage[],
  success: JobSuccess,
): CoverageSummary | null {
  if (assetId === null || finished === null) return null;
  const assets = new CoverageByAsset();
  assets.add({ assetId, url, finished, error, coverage }, success);
  return assets.summaries.get(assetId) ?? null;
}

function findingsOf({ success, seen, earlier }: JobOutcome): Map<number, JobFindingSummary> {
  const failing = new Set(success.failing.map(({ id }) => id));
  const before = earlier
    .filter(({ confirmedFixed, unconfirmed }) => confirmedFixed || unconfirmed)
    .map(({ id, title, severity, confirmedFixed, byRefusal = false }) => ({
      id,
      title,
      severity,
      byRefusal: confirmedFixed && byRefusal,
      outcome: confirmedFixed ? ('fixed' as const) : ('not_seen' as const),
    }));
  return new Map(
    [
      ...before,
      ...seen.map(({ id, title, severity }) => ({ id, title, severity, byRefusal: false, outcome: 'seen' as const })),
    ].map(({ id, ...summary }) => [id, { ...summary, failsGate: failing.has(id) }]),
  );
}
