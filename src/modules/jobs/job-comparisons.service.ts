import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Scope } from '../../platform/api/scope';
import type { Job } from './data/job.entity';
import { JobFindingsRepository } from './data/job-findings.repository';
import { JobsRepository } from './data/jobs.repository';
import { compareJobs, type JobComparison, type ShownByJob } from './domain/job-comparison';
import { jobNotFound } from './domain/job.errors';
import { isJobOver } from './domain/job-status';
import { pageOfUrl } from './domain/launch-url';

export interface ComparedJobs {
  /** Others on the same page, behind the same beacon, that have ended; newest first. */
  readonly others: readonly Job[];
  /** Null if there is no other one. */
  readonly compared: (JobComparison & { readonly earlier: Job; readonly later: Job }) | null;
}

const MAX_OTHERS = 30;

@Injectable()
export class JobComparisonsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly jobFindings: JobFindingsRepository,
  ) {}

  /** Of a visible job with the one before it, unless another one of its organization is named. */
  async compareVisible(scope: Scope, job: Job, otherUuid: string | undefined): Promise<ComparedJobs> {
    const others = await this.jobs.listOfPage(scope, job, pageOfUrl(job.url), MAX_OTHERS);
    const other =
      otherUuid === undefined
        ? (others.find(({ id }) => id < job.id) ?? others.at(-1))
        : orThrow(await this.jobs.findOne(scope.within(job.organizationId), otherUuid), jobNotFound);
    if (other === undefined) return { others, compared: null };
    if (other.beaconId !== job.beaconId || pageOfUrl(other.url) !== pageOfUrl(job.url))
      throw unprocessable('These scans have different targets: choose two scans of the same URL and network.');
    if (!isJobOver(other.status) || !isJobOver(job.status))
      throw unprocessable('A scan that has not ended has nothing to compare: wait for its end.');
    const [earlier, later] = other.id < job.id ? [other, job] : [job, other];
    const comparison = compareJobs(await this.shownBy(earlier), await this.shownBy(later));
    return { others, compared: { ...comparison, earlier, later } };
  }

  private async shownBy({ id }: Job): Promise<ShownByJob> {
    return {
      coverage: await this.jobs.findCoverageOfVisible(id),
      seen: await this.jobFindings.listSeenOfVisible(id),
      fixedIds: new Set(await this.jobFindings.listFixedOfVisible(id)),
    };
  }
}
