import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything, type Scope } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { Again, TenantTurns } from '../../platform/work/tenant-turns';
import { FeedService } from '../feed';
import { feedFilterOf } from '../webhooks';
import { ChannelMessagesRepository } from './data/channel-messages.repository';
import { type ChannelReference, ChannelsRepository } from './data/channels.repository';

const scope = everything('the entries of all feeds become messages of channels');

/** Of a channel that wait. The others wait in the feed. */
const MAX_WAITING = 1_000;
/** In one transaction. */
const MAX_ENTRIES = 100;

/** Turns the entries of feeds into messages of channels, each once, in their order. */
@Injectable()
export class ChannelFeeding {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly messages: ChannelMessagesRepository,
    private readonly feed: FeedService,
    private readonly transactions: Transactions,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  async feedAll(): Promise<void> {
    const behind = async (part: Scope) => this.feed.behindOf(await this.channels.listActive(part));
    await this.turns.each('notification.channels:feed', scope, behind, async (channel) => {
      await this.feed.appendOfVisible(channel.organizationId);
      return (await this.feedOne(channel)) ? new Again(channel) : undefined;
    });
  }

  /** The lock makes two workers continue after each other. Returns whether there is more. */
  private feedOne({ id, organizationId }: ChannelReference): Promise<boolean> {
    return this.transactions.run(async () => {
      const channel = await this.channels.lockOne(scope, organizationId, id);
      if (channel?.state !== 'active') return false;
      const limit = Math.min(MAX_ENTRIES, MAX_WAITING - (await this.messages.countOfLocked(channel)));
      if (limit <= 0) return false;
      const cursor = Number(channel.cursor);
      const page = await this.feed.continueOfVisible(organizationId, feedFilterOf(channel), cursor, limit);
      const created = this.clock.now();
      await this.messages.add(
        channel,
        page.entries.map(({ position, type, recordId, data }) => ({
          position: String(position),
          type,
          recordId,
          data,
          created,
        })),
      );
      await this.channels.change(channel, { cursor: String(page.nextAfter) });
      return page.nextAfter < page.newest;
    });
  }
}
