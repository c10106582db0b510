import { Injectable } from '@nestjs/common';
import type { ActiveProgress } from '../../engine';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Scope } from '../../platform/api/scope';
import { ActiveInventoryRepository, type LeftOutPage, type PointOfJob } from './data/active-inventory.repository';
import type { LanesOnOrigin } from './data/job-on-origin';
import { JobSubmissionsRepository, type WrittenByJob } from './data/job-submissions.repository';
import { JobRequestsRepository } from './data/job-requests.repository';
import type { Job } from './data/job.entity';
import { JobsRepository } from './data/jobs.repository';
import { jobNotFound, noRequestList, notActive } from './domain/job.errors';
import { isJobOver } from './domain/job-status';
import { parseLaunchUrl } from './domain/launch-url';
import { testedLocationsOf } from './domain/tested-locations';

/** What an active job has found and tested, so far or at its end. */
export interface ActiveView extends ActiveProgress {
  /** Why it has not tested all points; null if it has, or has not ended. */
  readonly reason: string | null;
  /** Why later jobs will send nothing, or null. */
  readonly warning: string | null;
  readonly notes: readonly string[];
}

/** Reads what active jobs have found, tested and sent. */
@Injectable()
export class ActiveTestsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly inventory: ActiveInventoryRepository,
    private readonly lists: JobRequestsRepository,
    private readonly submissions: JobSubmissionsRepository,
  ) {}

  /** Null for a standard job, and for one that ended before its active part. */
  async viewOfVisible(job: Job): Promise<ActiveView | null> {
    if (job.depth !== 'active') return null;
    const stored = await this.inventory.findActiveOfVisible(job.id);
    const kept = { warning: stored?.warning ?? null, notes: stored?.notes ?? [] };
    if (stored?.found != null) return { ...stored.found, reason: stored.reason, ...kept };
    if (isJobOver(job.status)) return null;
    return { ...(await this.inventory.progressOf({ ...placeOf(job), accountId: null })), reason: null, ...kept };
  }

  async pointsOf(scope: Scope, uuid: string, isTested: boolean | undefined, page: Page): Promise<Slice<PointOfJob>> {
    return this.inventory.listPointsOfVisible(placeOf(await this.activeJob(scope, uuid)), isTested, page);
  }

  async leftOutOf(scope: Scope, uuid: string, page: Page): Promise<Slice<LeftOutPage>> {
    return this.inventory.listLeftOutOfVisible(placeOf(await this.activeJob(scope, uuid)), page);
  }

  async writtenBy(scope: Scope, uuid: string, page: Page): Promise<Slice<WrittenByJob>> {
    return this.submissions.listOfVisible(await this.activeJob(scope, uuid), page);
  }

  /** The list of its requests as text. */
  async requestsOf(scope: Scope, uuid: string): Promise<string> {
    const text = await this.lists.textOfVisible(await this.activeJob(scope, uuid));
    if (text === '') throw noRequestList();
    return text;
  }

  private async activeJob(scope: Scope, uuid: string): Promise<Job> {
    const job = orThrow(await this.jobs.findOne(scope, uuid), jobNotFound);
    if (job.depth !== 'active') throw notActive();
    return job;
  }
}

const placeOf = ({ id, organizationId, beaconId, url, accounts }: Job): LanesOnOrigin => {
  const { origin } = testedLocationsOf(parseLaunchUrl(url));
  return { id, organizationId, beaconId, origin, accountIds: (accounts ?? []).map((one) => one.id) };
};
