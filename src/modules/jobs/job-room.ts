import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { StoredRows } from '../../platform/limits/stored-rows';
import { AssetsService } from '../assets';
import { OrganizationsService } from '../organizations';
import { JobsRepository } from './data/jobs.repository';
import { tooManyUnfinishedJobs } from './domain/job.errors';

/** Per organization. */
const MAX_UNFINISHED = 50;

/** Whether an organization may have one more job. */
@Injectable()
export class JobRoom {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly organizations: OrganizationsService,
    private readonly assets: AssetsService,
    private readonly stored: StoredRows,
  ) {}

  async require(organizationId: number): Promise<void> {
    const unfinished = await this.jobs.countUnfinishedOfLocked(organizationId);
    if (unfinished >= MAX_UNFINISHED) throw tooManyUnfinishedJobs(MAX_UNFINISHED);
  }

  /** Locks the organization, so that no other job takes the same place, and the asset. */
  async take(scope: Scope, organizationId: number, assetId: number): Promise<void> {
    await this.organizations.lockForCounting(scope, organizationId);
    await this.require(organizationId);
    if (await this.stored.isFull(organizationId, 'jobs')) await this.jobs.removeOldest(organizationId);
    await this.assets.lockForKeyShare(scope, assetId);
  }
}
