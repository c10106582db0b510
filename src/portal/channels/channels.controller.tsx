import { Body, Controller, Get, Req } from '@nestjs/common';
import type { VNode } from 'preact';
import { EventsService } from '../../modules/events';
import { MembersService } from '../../modules/identity';
import { type Channel, ChannelsService } from '../../modules/notifications';
import { DestinationPages } from '../destinations/destination-pages';
import { People } from '../findings/people';
import { Page, type SeeOther } from '../frame/page';
import { Settings } from '../frame/settings-tabs';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { PostChange } from '../http/route-metadata';
import { memberIdsWith } from '../members/member-addresses';
import { plainView } from '../http/view-of';
import { DIGEST_LABELS, KIND_LABELS, NewChannelPage } from './channel-form';
import { ChannelPage } from './channel-page';
import { ChannelForm } from './channels.requests';

@Controller('o/:organization/channels')
export class ChannelsPageController extends DestinationPages<Channel>({
  noun: 'channel',
  purpose: 'A channel tells changes that you choose in Slack, in Microsoft Teams or by mail.',
  columns: [
    { label: 'Where', class: 'nowrap', cell: ({ kind }) => KIND_LABELS[kind] },
    { label: 'How often', cell: ({ digest }) => DIGEST_LABELS[digest] },
  ],
}) {
  constructor(
    protected readonly destinations: ChannelsService,
    protected readonly events: EventsService,
    protected readonly people: People,
    private readonly members: MembersService,
  ) {
    super();
  }

  @Get('new')
  async form(@InOrganization() place: Place, @Req() request: PortalRequest): Promise<Page> {
    const { caller, organizationId } = place;
    caller.requireRole('admin', organizationId);
    const choices = await this.choicesFor(place);
    const { timeZone } = plainView(request);
    return new Page('New channel', <NewChannelPage {...{ organizationId, choices, timeZone }} />, 'settings');
  }

  @PostChange('', { operation: 'channel.create', resource: 'channel' })
  async create(@InOrganization() { caller, organizationId }: Place, @Body() form: ChannelForm): Promise<SeeOther> {
    const recipients = form.kind === 'mail' ? await this.membersWith(organizationId, form) : [];
    const { id } = await this.destinations.create(caller, organizationId, form.draftWith(recipients));
    return this.shown({ organizationId, id }, 'The channel was created. Send a test.');
  }

  @Get(':channel_id')
  async show(@InOrganization('channel_id') place: RecordPlace, @Req() request: PortalRequest): Promise<Page> {
    const { caller, organizationId, id } = place;
    const channel = await this.destinations.get(caller, organizationId, id);
    const choices = await this.choicesFor(place);
    const recipients = await this.members.listOfVisible(organizationId, channel.recipients);
    const addresses = recipients.map(({ email }) => email);
    const { timeZone } = plainView(request);
    return new Page(channel.name, <ChannelPage {...{ channel, choices, addresses, timeZone }} />, 'settings');
  }

  @PostChange(':channel_id', { operation: 'channel.change', resource: 'channel', id: 'channel_id' })
  async change(@InOrganization('channel_id') place: RecordPlace, @Body() form: ChannelForm): Promise<SeeOther> {
    const { caller, organizationId, id } = place;
    const { kind } = await this.destinations.get(caller, organizationId, id);
    const recipients = kind === 'mail' ? await this.membersWith(organizationId, form) : undefined;
    await this.destinations.change(caller, organizationId, id, form.changeWith(recipients));
    return this.shown(place, 'The channel was changed.');
  }

  protected override framed(list: VNode): VNode {
    return <Settings current="notifications">{list}</Settings>;
  }

  protected sendTest({ caller, organizationId, id }: RecordPlace): Promise<void> {
    return this.destinations.sendTest(caller, organizationId, id);
  }

  private membersWith(organizationId: number, { recipients = '' }: ChannelForm): Promise<number[]> {
    return memberIdsWith(this.members, organizationId, recipients, 'recipients');
  }
}
