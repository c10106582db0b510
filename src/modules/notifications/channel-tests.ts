import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Work } from '../../platform/work/work';
import { ChannelMessagesRepository } from './data/channel-messages.repository';
import type { Channel } from './data/channel.entity';
import { testWaits } from './domain/channel.errors';
import { TEST_TYPE } from './domain/channel-vocabulary';

export const CHANNEL_KIND = 'notification.channel';

/** Tests of channels, which ignore quiet hours, digests and limits. */
@Injectable()
export class ChannelTests {
  constructor(
    private readonly messages: ChannelMessagesRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** The caller has locked the channel. */
  async add(channel: Channel): Promise<void> {
    const { id, organizationId } = channel;
    const [first] = await this.messages.listWaitingOfLocked(channel);
    if (first?.position === null) throw testWaits();
    const created = this.clock.now();
    await this.messages.add(channel, [{ position: null, type: TEST_TYPE, recordId: String(id), data: {}, created }]);
    await this.work.enqueue({ kind: CHANNEL_KIND, reference: String(id), organizationId });
  }
}
