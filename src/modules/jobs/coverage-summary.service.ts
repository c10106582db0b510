import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { EndedJobsRepository } from './data/ended-jobs.repository';
import { CoverageByAsset, type CoverageSubject, type CoverageSummary, type Period } from './domain/coverage-summary';
import { JobOutcomes } from './job-outcomes';

/** Pages of one asset. The limit is per asset, so that assets with many pages leave no other asset out. */
const MAX_PAGES = 1_000;
/** Coverage is large. */
const BATCH_SIZE = 50;

/** Summarizes for reports what the jobs of an event or an organization tested. */
@Injectable()
export class CoverageSummaryService {
  constructor(
    private readonly jobs: EndedJobsRepository,
    private readonly outcomes: JobOutcomes,
  ) {}

  /** By asset: what was tested in a period. */
  async coverageOf(scope: Scope, subject: CoverageSubject, period: Period): Promise<Map<number, CoverageSummary>> {
    const ids = await this.jobs.listLastFinishedFor(scope, subject, period, MAX_PAGES);
    const coverage = new CoverageByAsset();
    for (let index = 0; index < ids.length; index += BATCH_SIZE) {
      const jobs = await this.jobs.listCoverageOfVisible(ids.slice(index, index + BATCH_SIZE));
      for (const job of jobs) coverage.add(job, await this.outcomes.completionWith(job, job.coverage));
    }
    return coverage.summaries;
  }
}
