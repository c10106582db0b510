import { Injectable, Logger } from '@nestjs/common';
import type { Check, Sighting } from '../../engine';
import type { TestDepth } from '../../kernel/test-depth';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { everything } from '../../platform/api/scope';
import type { Claim } from '../../platform/work/claim';
import { PeriodicTask } from '../../platform/work/periodic-task';
import { Work } from '../../platform/work/work';
import { workAudit } from '../../platform/work/work-audit';
import type { Launchable } from '../retests';
import type { Job } from './data/job.entity';
import { testedLocationsOf } from './domain/tested-locations';
import { JobEnds } from './job-ends';
import { JobPlans } from './job-plans';
import { JobSightings } from './job-sightings';
import { JobContradictions } from './work/job-contradictions';

/** What a cancel loses at most. A standard job takes a few seconds, and most of them end before. */
const INTERVAL_MS: Readonly<Record<TestDepth, number>> = { standard: 15_000, active: 2_000 };

/** Of one transaction, which holds locks. */
const BATCH = 20;

const scope = everything('a job writes to the organization that it belongs to');

/** Takes what was seen, with the checks of the job. */
export type Found = (sightings: readonly Sighting[], checks: readonly Check[]) => void;

/** Records what a job finds while it runs. What is no longer there is decided at its end. */
@Injectable()
export class JobFoundSoFar {
  private readonly logger = new Logger('job-findings');

  constructor(
    private readonly ends: JobEnds,
    private readonly plans: JobPlans,
    private readonly sightings: JobSightings,
    private readonly contradictions: JobContradictions,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Runs an attempt of a job. A batch that could not be recorded is recorded with the next one, or at the end. */
  async keep<T>(claim: Claim, job: Job, launch: Launchable, run: (found: Found) => Promise<T>): Promise<T> {
    const pending: { readonly sighting: Sighting; readonly checks: readonly Check[] }[] = [];
    const save = async (): Promise<void> => {
      for (let batch = pending.slice(0, BATCH); batch.length > 0; batch = pending.slice(0, BATCH)) {
        const locations = testedLocationsOf(launch.target);
        const seen = batch.map(({ sighting }) => sighting);
        const { sightings } = await this.plans.inOnePlace(job, locations, { sightings: seen, coverage: [] });
        const texts = await this.sightings.textsOf(job, sightings, batch[0]?.checks ?? []);
        await this.record(claim, { launch, locations, sightings, texts });
        pending.splice(0, batch.length);
      }
    };
    const failed = (error: unknown): void => this.logger.warn(`job ${job.uuid}: ${String(error)}`);
    const saving = new PeriodicTask(INTERVAL_MS[job.depth], save, failed);
    try {
      return await run((found, checks) => pending.push(...found.map((sighting) => ({ sighting, checks }))));
    } catch (error) {
      await saving.stop();
      // The job may end with this error, and without a result.
      await save().catch(failed);
      throw error;
    } finally {
      await saving.stop();
    }
  }

  /** Nothing of a job that was canceled, or that another worker has. The entry in the audit log is that of the end. */
  private async record(claim: Claim, sighted: Parameters<JobSightings['record']>[1]): Promise<void> {
    const audit = workAudit(claim, { operation: 'job.record', resourceType: 'job' });
    await this.unitOfWork.runIfDue(audit, scope, async () => {
      if (!(await this.work.lockCurrent(claim))) return;
      const job = await this.ends.lock(claim.reference);
      if (job === undefined) return;
      await this.sightings.record(job, sighted, true);
      await this.contradictions.request(job);
    });
  }
}
