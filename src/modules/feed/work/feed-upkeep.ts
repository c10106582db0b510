import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { FeedRepository } from '../data/feed.repository';

/** Of one run. An organization that changes faster than this is appended by the next runs, and by those who read it. */
const MOST_ROUNDS = 10;

const scope = everything('the changes of all organizations get positions');

/** Appends the changes of organizations whose feed nobody reads, and removes what is older than 30 days. */
@Injectable()
export class FeedUpkeep {
  constructor(
    private readonly feed: FeedRepository,
    private readonly turns: TenantTurns,
  ) {}

  /** In rounds, in which each organization has one turn of limited size. The changes of one that fails wait in their order. */
  @Scheduled({ name: 'feed.append', everySeconds: 10 })
  async append(): Promise<void> {
    for (let round = 0, turns = 1; round < MOST_ROUNDS && turns > 0; round++)
      turns = await this.turns.each(
        'feed.append',
        scope,
        (part) => this.feed.waiting(part),
        ({ organizationId }) => this.feed.appendWithoutWaiting(organizationId),
      );
    await this.feed.cleanOutbox();
  }

  @Scheduled({ name: 'feed.removal', everySeconds: 3_600 })
  async remove(): Promise<void> {
    await this.feed.keepPartitions();
  }
}
