import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { accepted, Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { ChannelsService } from '../channels.service';
import { ChangeChannelRequest, changeOf, CreateChannelRequest, draftOf } from './channel.requests';
import { ChannelListResponse, ChannelResponse, presentChannel } from './channel.responses';
import * as operations from './channels.operations';

@Controller()
export class ChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  @operations.listChannels
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ChannelListResponse>> {
    const page = query.slice;
    const slice = await this.channels.list(caller, organizationId, page);
    return new PagedBody({ channels: slice.items.map(presentChannel) }, page, slice);
  }

  @operations.createChannel
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Body() body: CreateChannelRequest,
  ): Promise<ChannelResponse> {
    return presentChannel(await this.channels.create(caller, organizationId, draftOf(body)));
  }

  @operations.getChannel
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('channel_id') id: number,
  ): Promise<ChannelResponse> {
    return presentChannel(await this.channels.get(caller, organizationId, id));
  }

  @operations.changeChannel
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('channel_id') id: number,
    @Body() body: ChangeChannelRequest,
  ): Promise<ChannelResponse> {
    return presentChannel(await this.channels.change(caller, organizationId, id, changeOf(body)));
  }

  @operations.deleteChannel
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('channel_id') id: number,
  ): Promise<Acknowledgement> {
    await this.channels.delete(caller, organizationId, id);
    return deleted('Channel', id);
  }

  @operations.testChannel
  async test(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('channel_id') id: number,
  ): Promise<Acknowledgement> {
    await this.channels.sendTest(caller, organizationId, id);
    return accepted('The test is on its way.', id);
  }
}
