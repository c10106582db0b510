import { Injectable } from '@nestjs/common';
import { Scheduled } from '../../../platform/work/work-handler';
import { FeedRepository } from '../data/feed.repository';

/** Appends the changes of organizations whose feed nobody reads, and removes what is older than 30 days. */
@Injectable()
export class FeedUpkeep {
  constructor(private readonly feed: FeedRepository) {}

  @Scheduled({ name: 'feed.append', everySeconds: 10 })
  async append(): Promise<void> {
    for (const organizationId of await this.feed.waiting()) {
      do await this.feed.append([organizationId]);
      while (await this.feed.hasWaiting(organizationId));
    }
  }

  @Scheduled({ name: 'feed.removal', everySeconds: 3_600 })
  async remove(): Promise<void> {
    await this.feed.keepPartitions();
  }
}
