import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { Work } from '../../../platform/work/work';
import { workAudit } from '../../../platform/work/work-audit';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { ContradictionRetests } from '../../retests';
import type { Job } from '../data/job.entity';
import { JobFindingsRepository } from '../data/job-findings.repository';
import { JobsRepository } from '../data/jobs.repository';

const KIND = 'job.contradictions';

const scope = everything('a worker starts retests for the jobs of all organizations');

/** Retests what a job contradicts. As work, because a retest locks the organization first. */
@Injectable()
@WorkKind(KIND)
export class JobContradictions implements WorkHandler {
  readonly maxConcurrent = 1;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly findings: JobFindingsRepository,
    private readonly contradictions: ContradictionRetests,
    private readonly work: Work,
  ) {}

  /** In the unit of work that ends the job. */
  async request({ id, uuid, organizationId }: Job): Promise<void> {
    if ((await this.findings.listWithoutRetest(id, 1)).length === 0) return;
    await this.work.enqueue({ kind: KIND, reference: uuid, organizationId });
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const job = await this.jobs.findOne(scope, claim.reference);
    if (job !== undefined) {
      const { id, uuid, organizationId, eventId } = job;
      const source = {
        organizationId,
        eventId,
        name: `job ${uuid}`,
        list: (limit: number) => this.findings.listWithoutRetest(id, limit),
        countStarted: () => this.findings.countRetests(id),
        saveStarted: (findingId: number) => this.findings.saveRetest(id, findingId),
      };
      await this.contradictions.start(source, signal);
    }
    return this.abandon(claim);
  }

  /** Then people retest them. */
  abandon(claim: Claim): Completion {
    const audit = workAudit(claim, { operation: KIND, resourceType: 'job' });
    return { audit, isSilent: true, apply: async () => undefined };
  }
}
