import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything, type Scope } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { Again, TenantTurns } from '../../platform/work/tenant-turns';
import type { Destination, DestinationReference } from './data/destination';
import type { DestinationsRepository } from './data/destinations.repository';
import type { Entry } from './data/feed.repository';
import { feedFilterOf } from './domain/feed-rule';
import { FeedService } from './feed.service';

const scope = everything('the entries of all feeds become messages of destinations');

/** The most waiting messages of a destination. Others stay in the feed, so a dead receiver does not fill the table. */
const MAX_WAITING = 1_000;
/** In one transaction. */
const MAX_ENTRIES = 100;

/** The messages that wait for a destination. The caller has locked the destination. */
export interface WaitingEntries {
  countWaitingOfLocked(destination: DestinationReference): Promise<number>;
  addEntries(destination: DestinationReference, entries: readonly Entry[], now: Date): Promise<void>;
}

/** Turns the entries of feeds into messages of destinations, each once, in their order. */
@Injectable()
export class DestinationFeeding {
  constructor(
    private readonly feed: FeedService,
    private readonly transactions: Transactions,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  async feedAll<D extends Destination>(
    task: string,
    destinations: DestinationsRepository<D>,
    waiting: WaitingEntries,
  ): Promise<void> {
    const behind = async (part: Scope) => this.feed.behindOf(await destinations.listActive(part));
    await this.turns.each(task, scope, behind, async (destination) => {
      await this.feed.appendOfVisible(destination.organizationId);
      return (await this.feedOne(destinations, waiting, destination)) ? new Again(destination) : undefined;
    });
  }

  /** With the lock, one of two workers continues after the other. Returns whether there is more. */
  private feedOne<D extends Destination>(
    destinations: DestinationsRepository<D>,
    waiting: WaitingEntries,
    { id, organizationId }: DestinationReference,
  ): Promise<boolean> {
    return this.transactions.run(async () => {
      const destination = await destinations.lockOne(scope, organizationId, id);
      if (destination?.state !== 'active') return false;
      const limit = Math.min(MAX_ENTRIES, MAX_WAITING - (await waiting.countWaitingOfLocked(destination)));
      if (limit <= 0) return false;
      const cursor = Number(destination.cursor);
      const page = await this.feed.continueOfVisible(organizationId, feedFilterOf(destination), cursor, limit);
      await waiting.addEntries(destination, page.entries, this.clock.now());
      await destinations.change(destination, { cursor: String(page.nextAfter) } as Partial<D>);
      return page.nextAfter < page.newest;
    });
  }
}
