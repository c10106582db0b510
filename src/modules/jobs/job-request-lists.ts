import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/work/periodic-task';
import { JobRequestsRepository } from './data/job-requests.repository';
import type { Job } from './data/job.entity';
import { RequestList } from './domain/request-list';

/** If a worker is lost, at most this much of the list is lost. */
const INTERVAL_MS = 2_000;

/** Keeps the lists of the requests of active jobs. */
@Injectable()
export class JobRequestLists {
  private readonly logger = new Logger('job-requests');

  constructor(private readonly rows: JobRequestsRepository) {}

  /** Runs an attempt of a job and stores its list meanwhile. The job goes on if storing fails. */
  async keep<T>({ id, uuid }: Job, run: (list: RequestList) => Promise<T>): Promise<T> {
    const list = new RequestList(await this.rows.listedOf(id));
    const save = async (): Promise<void> => {
      const taken = list.take();
      if (taken !== null) await this.rows.add(id, taken);
    };
    const failed = (error: unknown): void => this.logger.warn(`job ${uuid}: ${String(error)}`);
    const saving = new PeriodicTask(INTERVAL_MS, save, failed);
    try {
      return await run(list);
    } finally {
      await saving.stop();
      await save().catch(failed);
    }
  }
}
