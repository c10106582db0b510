import { Injectable, Logger } from '@nestjs/common';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { Mailer } from '../../platform/mail/mailer';
import type { DestinationReference } from '../feed';
import { MembersService } from '../identity';
import { OrganizationsService } from '../organizations';
import { type OutboundAnswer, OutboundRequests } from '../webhooks';
import { type Bundle, ChannelMessages } from './channel-messages';
import { ChannelUrls } from './channel-urls';
import type { ChannelMessage } from './data/channel-message.entity';
import type { Channel } from './data/channel.entity';
import { portalLinks } from './domain/links';
import { type Message, shortOf } from './domain/message';
import { mailOf } from './rendering/mail';
import { slackOf } from './rendering/slack';
import { teamsOf } from './rendering/teams';

const scope = everything('the messages of all organizations are sent');

/** What is sent in one message. */
export interface Parcel {
  readonly channel: Channel;
  readonly messages: readonly ChannelMessage[];
  readonly bundle: Bundle;
  readonly isTest: boolean;
  /** The receiver has refused the whole message. */
  readonly isShort: boolean;
}

export type ChannelAnswer = OutboundAnswer | 'no_recipients';

/** Sends a message in the form of its channel. */
@Injectable()
export class ChannelDispatch {
  private readonly logger = new Logger('channels');

  constructor(
    private readonly composer: ChannelMessages,
    private readonly urls: ChannelUrls,
    private readonly requests: OutboundRequests,
    private readonly mailer: Mailer,
    private readonly members: MembersService,
    private readonly organizations: OrganizationsService,
    private readonly config: Config,
  ) {}

  linkOf({ id, organizationId }: DestinationReference): string {
    return portalLinks(portalUrl(this.config), organizationId).channel(id);
  }

  async send({ channel, messages, bundle, isShort }: Parcel, signal: AbortSignal): Promise<ChannelAnswer> {
    const { organizationId, kind } = channel;
    const organization = await this.organizations.find(scope, organizationId);
    const whole = await this.composer.messageFor(channel, organization?.name ?? '', messages, bundle);
    if (kind === 'mail') return this.mail(channel, whole);
    const message = isShort ? shortOf(whole) : whole;
    const body = kind === 'slack' ? slackOf(message) : teamsOf(message);
    const headers = { 'content-type': 'application/json', 'user-agent': 'Assay' };
    return this.requests.post({ organizationId, url: this.urls.read(channel), headers, body, signal });
  }

  /** To those recipients who are members now. */
  private async mail(channel: Channel, message: Message): Promise<ChannelAnswer> {
    const members = await this.members.listOfVisible(channel.organizationId, channel.recipients);
    if (members.length === 0) return 'no_recipients';
    const reason = `You get this mail because the channel "${channel.name}" sends it to you. Admins can change it.`;
    const to = members.map(({ email }) => email);
    try {
      await this.mailer.send(mailOf(message, { to, settings: this.linkOf(channel), reason }));
      return { status: 250, ms: 0 };
    } catch (error) {
      this.logger.warn(`channel ${channel.id}: ${String(error)}`);
      return { error: 'unreachable', ms: 0 };
    }
  }
}
