import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Scope } from '../../platform/api/scope';
import { ActiveInventoryRepository } from './data/active-inventory.repository';
import type { Job } from './data/job.entity';
import type { PointOutcome } from './domain/active-result';
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
    private readonly inventory: ActiveInventoryRepository,
  ) {}

  /** Compares a visible job with the previous one, or with another one of its organization that the caller names. */
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
    const shown = { earlier: await this.shownBy(earlier), later: await this.shownBy(later) };
    const seen = [...shown.earlier.seen, ...shown.later.seen];
    const comparison = compareJobs(
      await this.withPoints(earlier, shown.earlier, seen),
      await this.withPoints(later, shown.later, seen),
    );
    return { others, compared: { ...comparison, earlier, later } };
  }

  private async shownBy({ id }: Job): Promise<ShownByJob> {
    return {
      coverage: await this.jobs.findCoverageOfVisible(id),
      seen: await this.jobFindings.listSeenOfVisible(id),
      fixedIds: new Set(await this.jobFindings.listFixedOfVisible(id)),
    };
  }

  /** With the insertion points of findings that an active job has tested, which its coverage only counts. */
  private async withPoints(job: Job, shown: ShownByJob, seen: ShownByJob['seen']): Promise<ShownByJob> {
    if (job.depth !== 'active') return shown;
    const tested = await this.inventory.listOutcomesAt(
      job.id,
      seen.flatMap(({ location }) => location ?? []),
    );
    const rows = tested.map((one) => ({ ...one, reason: 'it was tested there', verdict: null }));
    const isKnown = ({ check, location }: PointOutcome): boolean =>
      shown.coverage.some((one) => one.check === check && one.location === location);
    return { ...shown, coverage: [...shown.coverage, ...rows.filter((row) => !isKnown(row))] };
  }
}
