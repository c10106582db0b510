import { Body, Controller, Query } from '@nestjs/common';
import type { Slice } from '../../../kernel/page';
import type { Caller } from '../../../platform/api/caller';
import { ApiUrl } from '../../../platform/http/api-url';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathSlug } from '../../../platform/http/path-slug';
import { PageQuery } from '../../../platform/http/page-query';
import type { Event } from '../data/event.entity';
import { EventsService } from '../events.service';
import {
  ChangeEventRequest,
  ChangeEventStatusRequest,
  ChangeSecondLooksRequest,
  changeOfEvent,
  CreateEventRequest,
  draftOf,
} from './event.requests';
import { EventListResponse, EventResponse, presentEvent } from './event.responses';
import * as operations from './events.operations';

const pageOf = ({ slice: page }: PageQuery, slice: Slice<Event>, apiUrl: string): PagedBody<EventListResponse> =>
  new PagedBody({ events: slice.items.map((event) => presentEvent(event, apiUrl)) }, page, slice);

@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @operations.createEvent
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @ApiUrl() apiUrl: string,
    @Body() body: CreateEventRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.create(caller, organizationId, draftOf(body)), apiUrl);
  }

  @operations.listEvents
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @ApiUrl() apiUrl: string,
    @Query() query: PageQuery,
  ): Promise<PagedBody<EventListResponse>> {
    const slice = await this.events.list(caller.scope, organizationId, query.slice);
    return pageOf(query, slice, apiUrl);
  }

  @operations.listAllEvents
  async listAll(
    @CurrentCaller() caller: Caller,
    @ApiUrl() apiUrl: string,
    @Query() query: PageQuery,
  ): Promise<PagedBody<EventListResponse>> {
    return pageOf(query, await this.events.listAll(caller.scope, query.slice), apiUrl);
  }

  @operations.getEvent
  async get(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @ApiUrl() apiUrl: string,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.get(caller.scope, slug), apiUrl);
  }

  @operations.changeEvent
  async change(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @ApiUrl() apiUrl: string,
    @Body() body: ChangeEventRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.change(caller, slug, changeOfEvent(body)), apiUrl);
  }

  @operations.changeEventStatus
  async changeStatus(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @ApiUrl() apiUrl: string,
    @Body() { status }: ChangeEventStatusRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.changeStatus(caller, slug, status), apiUrl);
  }

  @operations.changeEventSecondLooks
  async changeSecondLooks(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @ApiUrl() apiUrl: string,
    @Body() { enabled }: ChangeSecondLooksRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.changeSecondLooks(caller, slug, enabled), apiUrl);
  }
}
