import { Injectable, Logger } from '@nestjs/common';
import type { Claim } from './claim';
import { PeriodicTask } from './periodic-task';
import { WorkRepository } from './work.repository';

const INTERVAL_MS = 1_000;

/** Longer progress is not saved: it is written about once a second. */
const MAX_LENGTH = 32_768;

/** Lets people follow running work. Progress is only shown: work never depends on it, and a failure to save it is logged. */
@Injectable()
export class WorkProgress {
  private readonly logger = new Logger('work-progress');

  constructor(private readonly rows: WorkRepository) {}

  /** Runs a part of the work, and meanwhile saves its progress at most once a second, while the claim is current. */
  async track<T>(claim: Claim, progress: () => object, run: () => Promise<T>): Promise<T> {
    let saved = '';
    let isCurrent = true;
    const save = async (): Promise<void> => {
      const text = JSON.stringify(progress());
      if (!isCurrent || text === saved || text.length > MAX_LENGTH) return;
      isCurrent = await this.rows.saveProgress(claim, text);
      saved = text;
    };
    const saving = new PeriodicTask(INTERVAL_MS, save, (error) =>
      this.logger.debug(`${claim.kind} ${claim.reference}: ${String(error)}`),
    );
    try {
      return await run();
    } finally {
      await saving.stop();
    }
  }
}
