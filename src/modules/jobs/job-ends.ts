import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { everything } from '../../platform/api/scope';
import { VerdictMetrics } from '../retests';
import { ActiveInventoryRepository } from './data/active-inventory.repository';
import type { Job } from './data/job.entity';
import { type JobEnd, JobsRepository } from './data/jobs.repository';
import { isJobOver } from './domain/job-status';
import { JobOutcomes } from './job-outcomes';
import { JobContradictions } from './work/job-contradictions';

const scope = everything('a job belongs to the organization that it writes to');

/** Ends jobs, in the unit of work that stores what they found. */
@Injectable()
export class JobEnds {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly inventory: ActiveInventoryRepository,
    private readonly outcomes: JobOutcomes,
    private readonly contradictions: JobContradictions,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: VerdictMetrics,
  ) {}

  /** Undefined if the job was deleted or is over. */
  async lock(uuid: string): Promise<Job | undefined> {
    const job = await this.jobs.lockOne(scope, uuid);
    return job === undefined || isJobOver(job.status) ? undefined : job;
  }

  /** With what the job says to pipelines now, for the feed. */
  async end(job: Job, end: Omit<JobEnd, 'gate'>): Promise<void> {
    const gate = end.status === 'FINISHED' ? await this.outcomes.gateAtEnd(job, end.coverage) : 'failed';
    await this.jobs.end(job.id, { ...end, gate });
    await this.contradictions.request(job);
    if (job.depth === 'active') await this.inventory.forgetResults(job.id);
    this.unitOfWork.afterCommit(() => this.metrics.countCoverage(end.coverage));
  }
}
