import { Body, Controller, Query } from '@nestjs/common';
import { accepted, Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { ChannelsService } from '../channels.service';
import { ChangeChannelRequest, changeOf, CreateChannelRequest, draftOf } from './channel.requests';
import { ChannelListResponse, ChannelResponse, presentChannel } from './channel.responses';
import * as operations from './channels.operations';

@Controller()
export class ChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  @operations.listChannels
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ChannelListResponse>> {
    const page = query.slice;
    const slice = await this.channels.list(caller, organizationId, page);
    return new PagedBody({ channels: slice.items.map(presentChannel) }, page, slice);
  }

  @operations.createChannel
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateChannelRequest,
  ): Promise<ChannelResponse> {
    return presentChannel(await this.channels.create(caller, organizationId, draftOf(body)));
  }

  @operations.getChannel
  async get(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<ChannelResponse> {
    return presentChannel(await this.channels.get(caller, organizationId, id));
  }

  @operations.changeChannel
  async change(
    @InOrganization('channel_id') { caller, organizationId, id }: RecordPlace,
    @Body() body: ChangeChannelRequest,
  ): Promise<ChannelResponse> {
    return presentChannel(await this.channels.change(caller, organizationId, id, changeOf(body)));
  }

  @operations.deleteChannel
  async delete(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.channels.delete(caller, organizationId, id);
    return deleted('Channel', id);
  }

  @operations.testChannel
  async test(@InOrganization('channel_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.channels.sendTest(caller, organizationId, id);
    return accepted('The test is on its way.', id);
  }
}
