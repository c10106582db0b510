import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything, type Scope } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Work } from '../../../platform/work/work';
import { workAudit } from '../../../platform/work/work-audit';
import { type Completion, Scheduled, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { DestinationFeeding } from '../../feed';
import { ChannelSending } from '../channel-sending';
import { CHANNEL_KIND } from '../channel-tests';
import { ChannelMessagesRepository } from '../data/channel-messages.repository';
import { ChannelsRepository } from '../data/channels.repository';

const scope = everything('the messages of all organizations are sent');

/** After this time other channels have their turn. */
const MAX_MESSAGES = 20;
const KEPT_MS = 30 * 86_400_000;

/** A turn of a channel. The scheduled task adds the next one while messages wait. */
@Injectable()
@WorkKind(CHANNEL_KIND)
export class ChannelWork implements WorkHandler {
  readonly isRepeatable = true;

  constructor(
    private readonly feeding: DestinationFeeding,
    private readonly sending: ChannelSending,
    private readonly channels: ChannelsRepository,
    private readonly messages: ChannelMessagesRepository,
    private readonly work: Work,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  /** Turns new entries into messages, and starts the channels that may send. */
  @Scheduled({ name: 'notification.channels', everySeconds: 5 })
  async run(): Promise<void> {
    try {
      await this.feeding.feedAll('notification.channels:feed', this.channels, this.messages);
    } finally {
      const due = (part: Scope) => this.channels.listDue(part, this.clock.now());
      await this.turns.each('notification.channels', scope, due, ({ id, organizationId }) =>
        this.work.enqueue({ kind: CHANNEL_KIND, reference: String(id), organizationId }),
      );
    }
  }

  @Scheduled({ name: 'notification.forget_messages', everySeconds: 3_600 })
  async removeOld(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.turns.sweep('notification.forget_messages', scope, async (part) => {
      await this.messages.deleteCreatedBefore(part, before);
      return 0;
    });
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const { organizationId, reference } = claim;
    if (organizationId !== null) {
      const channel = { id: Number(reference), organizationId };
      for (let sent = 0; sent < MAX_MESSAGES && (await this.sending.sendNext(channel, signal)); sent++)
        signal.throwIfAborted();
    }
    return completion(claim);
  }

  /** Waiting messages are taken again in the next turn. */
  abandon(claim: Claim, error: string): Completion {
    return completion(claim, { error });
  }
}

const completion = (claim: Claim, metadata?: Record<string, unknown>): Completion => ({
  audit: workAudit(claim, { operation: 'channel.send', resourceType: 'channel', metadata }),
  apply: async () => undefined,
  isSilent: metadata === undefined,
});
