import { Injectable, Logger } from '@nestjs/common';
import { Scheduled } from '../../../platform/work/work-handler';
import { FeedRepository } from '../data/feed.repository';

/** Of one run. An organization that changes faster than this is appended by the next runs, and by those who read it. */
const MOST_ROUNDS = 10;

/** Appends the changes of organizations whose feed nobody reads, and removes what is older than 30 days. */
@Injectable()
export class FeedUpkeep {
  private readonly logger = new Logger('feed');

  constructor(private readonly feed: FeedRepository) {}

  /** In rounds, in which each organization has one turn of limited size. One that fails waits for the next run. */
  @Scheduled({ name: 'feed.append', everySeconds: 10 })
  async append(): Promise<void> {
    const failed = new Set<number>();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const waiting = (await this.feed.waiting()).filter((id) => !failed.has(id));
      if (waiting.length === 0) return;
      for (const id of waiting) if (!(await this.appendOne(id))) failed.add(id);
    }
  }

  @Scheduled({ name: 'feed.removal', everySeconds: 3_600 })
  async remove(): Promise<void> {
    await this.feed.keepPartitions();
  }

  private async appendOne(organizationId: number): Promise<boolean> {
    try {
      await this.feed.appendWithoutWaiting(organizationId);
      return true;
    } catch (error) {
      this.logger.warn(`appending the changes of organization ${organizationId}: ${String(error)}`);
      return false;
    }
  }
}
