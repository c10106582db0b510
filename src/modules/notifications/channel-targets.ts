import { Injectable } from '@nestjs/common';
import { Mailer } from '../../platform/mail/mailer';
import { MembersService } from '../identity';
import { OutboundRequests } from '../webhooks';
import { ChannelUrls } from './channel-urls';
import type { Channel } from './data/channel.entity';
import {
  noMail,
  recipientIsNoMember,
  recipientsMissing,
  recipientsOfChat,
  urlMissing,
  urlOfMail,
} from './domain/channel.errors';
import type { ChannelKind } from './domain/channel-vocabulary';

interface Target {
  readonly url?: string | undefined;
  readonly recipients: readonly number[];
}

/** Checks where a channel leads: to an address that may be reached, or to members of the organization. */
@Injectable()
export class ChannelTargets {
  constructor(
    private readonly requests: OutboundRequests,
    private readonly urls: ChannelUrls,
    private readonly members: MembersService,
    private readonly mailer: Mailer,
  ) {}

  async resolve(
    organizationId: number,
    kind: ChannelKind,
    { url, recipients }: Target,
  ): Promise<Pick<Channel, 'sealed' | 'recipients'>> {
    if (kind === 'mail') {
      if (url !== undefined) throw urlOfMail();
      return { sealed: null, recipients: await this.membersOf(organizationId, recipients) };
    }
    if (recipients.length > 0) throw recipientsOfChat();
    if (url === undefined) throw urlMissing();
    this.requests.requireUrl(url, organizationId);
    return { sealed: this.urls.seal(url), recipients: [] };
  }

  private async membersOf(organizationId: number, recipients: readonly number[]): Promise<number[]> {
    if (!this.mailer.isEnabled) throw noMail();
    if (recipients.length === 0) throw recipientsMissing();
    const members = new Set((await this.members.listOfVisible(organizationId, recipients)).map(({ userId }) => userId));
    const stranger = recipients.find((userId) => !members.has(userId));
    if (stranger !== undefined) throw recipientIsNoMember(stranger);
    return [...members];
  }
}
