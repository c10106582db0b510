import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error';
import { EventsService } from '../../modules/events';
import { MembersService } from '../../modules/identity';
import { ChannelsService } from '../../modules/notifications';
import { PageQuery } from '../../platform/http/page-query';
import { NewLink } from '../frame/new-link';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { PostChange } from '../http/route-metadata';
import { plainView } from '../http/view-of';
import { channelsUrl, channelUrl, newChannelUrl } from '../urls';
import { NewChannelPage } from './channel-form';
import { ChannelPage, ChannelsPage } from './channel-pages';
import { ChannelForm } from './channels.requests';

const CHOICES = { page: 1, perPage: 100 } as const;

@Controller('o/:organization/channels')
export class ChannelsPageController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly members: MembersService,
    private readonly events: EventsService,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await this.channels.list(caller, organizationId, page);
    return new Page('Channels', <ChannelsPage {...{ organizationId, slice, page, url }} />, 'settings', {
      actions: <NewLink href={newChannelUrl(organizationId)} label="New channel" />,
    });
  }

  @Get('new')
  async form(@InOrganization() { caller, organizationId }: Place, @Req() request: PortalRequest): Promise<Page> {
    caller.requireRole('admin', organizationId);
    const { items: events } = await this.events.list(caller.scope, organizationId, CHOICES);
    const { timeZone } = plainView(request);
    return new Page('New channel', <NewChannelPage {...{ organizationId, events, timeZone }} />, 'settings');
  }

  @PostChange('', { operation: 'channel.create', resource: 'channel' })
  async create(@InOrganization() { caller, organizationId }: Place, @Body() form: ChannelForm): Promise<SeeOther> {
    const recipients = form.kind === 'mail' ? await this.membersWith(organizationId, form.addresses) : [];
    const { id } = await this.channels.create(caller, organizationId, form.draftWith(recipients));
    return new SeeOther(channelUrl(organizationId, id), 'The channel was created. Send a test.');
  }

  @Get(':channel_id')
  async show(
    @InOrganization('channel_id') { caller, organizationId, id }: RecordPlace,
    @Req() request: PortalRequest,
  ): Promise<Page> {
    const channel = await this.channels.get(caller, organizationId, id);
    const { items: events } = await this.events.list(caller.scope, organizationId, CHOICES);
    const recipients = await this.members.listOfVisible(organizationId, channel.recipients);
    const addresses = recipients.map(({ email }) => email);
    const { timeZone } = plainView(request);
    return new Page(channel.name, <ChannelPage {...{ channel, events, addresses, timeZone }} />, 'settings');
  }

  @PostChange(':channel_id', { operation: 'channel.change', resource: 'channel', id: 'channel_id' })
  async change(
    @InOrganization('channel_id') { caller, organizationId, id }: RecordPlace,
    @Body() form: ChannelForm,
  ): Promise<SeeOther> {
    const { kind } = await this.channels.get(caller, organizationId, id);
    const recipients = kind === 'mail' ? await this.membersWith(organizationId, form.addresses) : undefined;
    await this.channels.change(caller, organizationId, id, form.changeWith(recipients));
    return new SeeOther(channelUrl(organizationId, id), 'The channel was changed.');
  }

  @PostChange(':channel_id/pause', { operation: 'channel.change', resource: 'channel', id: 'channel_id' })
  async pause(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.channels.change(caller, organizationId, id, { state: 'paused' });
    return new SeeOther(channelUrl(organizationId, id), 'The channel is paused.');
  }

  @PostChange(':channel_id/resume', { operation: 'channel.change', resource: 'channel', id: 'channel_id' })
  async resume(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.channels.change(caller, organizationId, id, { state: 'active' });
    return new SeeOther(channelUrl(organizationId, id), 'The channel is active, and continues where it stopped.');
  }

  @PostChange(':channel_id/test', { operation: 'channel.test', resource: 'channel', id: 'channel_id' })
  async test(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.channels.sendTest(caller, organizationId, id);
    return new SeeOther(channelUrl(organizationId, id), 'A test is on its way. Reload the page to see its result.');
  }

  @PostChange(':channel_id/delete', { operation: 'channel.delete', resource: 'channel', id: 'channel_id' })
  async delete(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.channels.delete(caller, organizationId, id);
    return new SeeOther(channelsUrl(organizationId), 'The channel was deleted.');
  }

  /** The ids of members with these addresses. */
  private async membersWith(organizationId: number, addresses: readonly string[]): Promise<number[]> {
    if (addresses.length === 0) return [];
    const members = await this.members.listOfVisible(organizationId);
    const ids = new Map(members.map(({ email, userId }) => [email.toLowerCase(), userId]));
    return [...new Set(addresses)].map((address) => {
      const id = ids.get(address);
      if (id === undefined) throw invalid(`recipients: ${address} is not the address of a member of the organization.`);
      return id;
    });
  }
}
