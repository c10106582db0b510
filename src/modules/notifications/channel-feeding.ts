import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { runEach } from '../../platform/work/run-each';
import { FeedService } from '../feed';
import { feedFilterOf } from '../webhooks';
import { ChannelMessagesRepository } from './data/channel-messages.repository';
import { type ChannelReference, ChannelsRepository } from './data/channels.repository';

const scope = everything('the entries of all feeds become messages of channels');

/** Of a channel that wait. The others wait in the feed. */
const MAX_WAITING = 1_000;
const MAX_ENTRIES = 500;

/** Turns the entries of feeds into messages of channels, each once, in their order. */
@Injectable()
export class ChannelFeeding {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly messages: ChannelMessagesRepository,
    private readonly feed: FeedService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async feedAll(): Promise<void> {
    const active = await this.channels.listActive(scope);
    const organizationIds = [...new Set(active.map(({ organizationId }) => organizationId))];
    const newest = await this.feed.newestOfAll(organizationIds);
    const behind = active.filter(({ organizationId, cursor }) => (newest.get(organizationId) ?? 0) !== cursor);
    await runEach(behind, (channel) => this.feedOne(channel));
  }

  /** The lock makes two workers continue after each other. */
  private async feedOne({ id, organizationId }: ChannelReference): Promise<void> {
    await this.transactions.run(async () => {
      const channel = await this.channels.lockOne(scope, organizationId, id);
      if (channel?.state !== 'active') return;
      const limit = Math.min(MAX_ENTRIES, MAX_WAITING - (await this.messages.countOfLocked(channel)));
      if (limit <= 0) return;
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
    });
  }
}
