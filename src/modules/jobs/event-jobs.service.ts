import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error';
import type { TestDepth } from '../../kernel/test-depth';
import type { Scope } from '../../platform/api/scope';
import { StoredRows } from '../../platform/limits/stored-rows';
import { Work } from '../../platform/work/work';
import { AssetsService } from '../assets';
import { type Launchable, type LaunchRefusal, LaunchRule } from '../retests';
import { type JobsOfDay, JobsRepository, type JobState } from './data/jobs.repository';
import type { UntestedPoints } from './domain/incomplete-checks';
import { hostingOfJob } from './domain/hosted-job';
import { kindOfEventJob, WINDOW_CLOSED } from './domain/job-kind';
import { parseLaunchUrl } from './domain/launch-url';
import { isJobOver } from './domain/job-status';
import type { AccountOfJob } from './domain/lanes';
import { JobAccounts, type PlannedAccounts } from './job-accounts';
import { JobOutcomes } from './job-outcomes';

export interface EventJob {
  readonly organizationId: number;
  readonly eventId: number;
  readonly beaconId: number | null;
  readonly url: string;
  /** Null for all built-in checks. */
  readonly checks: readonly string[] | null;
  readonly depth: TestDepth;
  readonly accounts: PlannedAccounts;
}

/** The jobs that machine events launch by themselves. They have slots of their own and no limit of unfinished ones. */
@Injectable()
export class EventJobs {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly rule: LaunchRule,
    private readonly assets: AssetsService,
    private readonly stored: StoredRows,
    private readonly work: Work,
    private readonly outcomes: JobOutcomes,
    private readonly accounts: JobAccounts,
  ) {}

  /** Called in the transaction that records the job in the plan, with the organization locked for counting. */
  async launchInLocked(
    scope: Scope,
    { url, checks, depth, accounts: planned, ...of }: EventJob,
  ): Promise<{ uuid: string } | LaunchRefusal> {
    const { organizationId, eventId, beaconId } = of;
    const launch = await this.rule.evaluate({ scope, ...of, depth, target: parseLaunchUrl(url) });
    if (!launch.launchable) return launch;
    const accounts = await this.accountsOf(launch, url, planned);
    if ('reason' in accounts) return accounts;
    if (await this.stored.isFull(organizationId, 'jobs')) await this.jobs.removeOldest(organizationId);
    const { assetId } = launch;
    await this.assets.lockForKeyShare(scope, assetId);
    const uuid = randomUUID();
    const selection = { checks: checks === null ? null : [...checks], templates: checks === null ? null : [] };
    const kind = kindOfEventJob(depth);
    const description = { ...selection, ...hostingOfJob(launch.hosting), kind, depth };
    await this.jobs.save({
      uuid,
      organizationId,
      eventId,
      assetId,
      beaconId,
      url,
      accounts: accounts.length === 0 ? null : accounts,
      ...description,
    });
    await this.work.enqueue({ kind, reference: uuid, organizationId, assetId, eventId });
    return { uuid };
  }

  private async accountsOf(
    launch: Launchable,
    url: string,
    planned: PlannedAccounts,
  ): Promise<AccountOfJob[] | LaunchRefusal> {
    try {
      return await this.accounts.requireOfEvent(launch, url, planned);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { launchable: false, reason: error.message };
    }
  }

  /** Returns false if the job is over. Locks the work before the job, as the worker that ends it does. */
  async cancel(scope: Scope, uuid: string): Promise<boolean> {
    const kind = (await this.jobs.findOne(scope, uuid))?.kind;
    if (kind === undefined) return false;
    await this.work.cancel(kind, uuid);
    const job = await this.jobs.lockOne(scope, uuid);
    if (job === undefined || isJobOver(job.status)) return false;
    await this.jobs.saveCanceled(job.id);
    return true;
  }

  /** The checks, of a job of any kind, that did not run before its window closed. */
  async checksLeft(scope: Scope, uuid: string): Promise<string[]> {
    const [job] = await this.jobs.listStatesOf(scope, [uuid]);
    const left = (job?.coverage ?? []).filter(({ reason }) => reason === WINDOW_CLOSED);
    return [...new Set(left.map(({ check }) => check))];
  }

  /** The insertion points that the job did not test and that no admin has accepted; null if there are none. */
  async untestedPoints(scope: Scope, uuid: string): Promise<UntestedPoints | null> {
    const job = await this.jobs.findOne(scope, uuid);
    return job === undefined ? null : this.outcomes.untestedPointsOf(job);
  }

  /** Where the accounts of an event sign in. */
  signInPagesOf(scope: Scope, ids: readonly number[]): ReturnType<JobAccounts['pagesOf']> {
    return this.accounts.pagesOf(scope, ids);
  }

  /** One that is missing was removed. */
  listStatesOf(scope: Scope, uuids: readonly string[]): Promise<JobState[]> {
    return this.jobs.listStatesOf(scope, uuids);
  }

  /** Newest first, with those that people launched. */
  listDaysOf(scope: Scope, eventId: number, limit: number): Promise<JobsOfDay[]> {
    return this.jobs.listDaysOfEvent(scope, eventId, limit);
  }
}
