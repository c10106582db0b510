import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { ActiveInventoryRepository } from '../data/active-inventory.repository';
import { JobRequestsRepository } from '../data/job-requests.repository';

/** A part of requests has up to a megabyte. */
const BATCH = 200;

const scope = everything('what active jobs have kept is removed for all organizations');

/** Removes lists of requests after 30 days, and pages and points that no job has seen for 400. */
@Injectable()
export class PastActiveTests {
  constructor(
    private readonly requests: JobRequestsRepository,
    private readonly inventory: ActiveInventoryRepository,
    private readonly turns: TenantTurns,
  ) {}

  @Scheduled({ name: 'job.past_active_tests', everySeconds: 3_600 })
  async run(): Promise<void> {
    await this.turns.sweep('job.past_active_tests', scope, async (part) => {
      const requests = await this.requests.deletePast(part, BATCH);
      return requests + (await this.inventory.deletePast(part, BATCH));
    });
  }
}
