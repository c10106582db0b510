import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { workAudit } from '../../../platform/work/work-audit';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { type ContradictionSource, ContradictionRetests } from '../../retests';
import type { Job } from '../data/job.entity';
import { JobFindingsRepository } from '../data/job-findings.repository';
import { JobsRepository } from '../data/jobs.repository';

const KIND = 'job.contradictions';

const scope = everything('a worker starts retests for the jobs of all organizations');

/** Retests findings that a job contradicts. It is work of its own, because a retest locks the organization first. */
@Injectable()
@WorkKind(KIND)
export class JobContradictions implements WorkHandler {
  readonly maxConcurrent = 1;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly findings: JobFindingsRepository,
    private readonly contradictions: ContradictionRetests,
  ) {}

  /** Called in the unit of work that records what the job has seen. */
  async request(job: Job): Promise<void> {
    const source = this.sourceOf(job);
    if ((await source.list(1)).length > 0) await this.contradictions.request(source);
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const { reference } = claim;
    const job = await this.jobs.findOne(scope, reference.split(' ')[0] ?? '');
    if (job !== undefined) await this.contradictions.start(this.sourceOf(job), signal, reference);
    return this.abandon(claim);
  }

  /** People can still retest the findings. */
  abandon(claim: Claim): Completion {
    const audit = workAudit(claim, { operation: KIND, resourceType: 'job' });
    return { audit, isSilent: true, apply: async () => undefined };
  }

  private sourceOf({ id, uuid, organizationId, eventId }: Job): ContradictionSource {
    return {
      organizationId,
      eventId,
      name: `job ${uuid}`,
      work: { kind: KIND, record: uuid },
      list: (limit) => this.findings.listWithoutRetest(id, limit),
      countStarted: () => this.findings.countRetests(id),
      saveStarted: (findingId) => this.findings.saveRetest(id, findingId),
    };
  }
}
