import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import {
  AddScopeAssetRequest,
  ChangeEventStatusRequest,
  CreateEventRequest,
  draftOf,
  EventScopeService,
  EventsService,
  scopeDraftOf,
} from '../../modules/events';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PageQuery } from '../../platform/http/page-query';
import { PathId } from '../../platform/http/path-id';
import { PathSlug } from '../../platform/http/path-slug';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes } from '../http/route-metadata';
import { eventUrl } from '../urls';
import { EventPage } from './event-page';
import { EventReader } from './event-reader';
import { EventsPage } from './events-page';
import { SecondLooksForm } from './events.requests';

@Controller('o/:organization/events')
export class EventsController {
  constructor(
    private readonly reader: EventReader,
    private readonly events: EventsService,
    private readonly scopes: EventScopeService,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await this.events.list(caller.scope, organizationId, page);
    const mayChange = caller.hasRole('admin', organizationId);
    return new Page('Events', <EventsPage {...{ organizationId, slice, page, url, mayChange }} />, 'events');
  }

  @Post()
  @Changes({ operation: 'event.create', resource: 'event' })
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() form: CreateEventRequest,
  ): Promise<SeeOther> {
    const { slug } = await this.events.create(caller, organizationId, draftOf(form));
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @Get(':event_slug')
  async show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathSlug('event_slug') slug: string,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.read(caller, organizationId, slug, page);
    return new Page(view.event.name, <EventPage {...{ view, page, url }} />, 'events');
  }

  @Post(':event_slug/status')
  @Changes({ operation: 'event.status_change', resource: 'event', id: 'event_slug' })
  async changeStatus(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathSlug('event_slug') slug: string,
    @Body() { status }: ChangeEventStatusRequest,
  ): Promise<SeeOther> {
    await this.reader.requireEvent(caller, organizationId, slug);
    await this.events.changeStatus(caller, slug, status);
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @Post(':event_slug/second-look')
  @Changes({ operation: 'event.second_look_change', resource: 'event', id: 'event_slug' })
  async changeSecondLooks(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathSlug('event_slug') slug: string,
    @Body() { enabled }: SecondLooksForm,
  ): Promise<SeeOther> {
    await this.reader.requireEvent(caller, organizationId, slug);
    await this.events.changeSecondLooks(caller, slug, enabled === 'on');
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @Post(':event_slug/scope')
  @Changes({ operation: 'scope_asset.create', resource: 'scope_asset' })
  async addToScope(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathSlug('event_slug') slug: string,
    @Body() form: AddScopeAssetRequest,
  ): Promise<SeeOther> {
    await this.reader.requireEvent(caller, organizationId, slug);
    await this.scopes.add(caller, slug, scopeDraftOf(form));
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @Post(':event_slug/scope/:asset_id/delete')
  @Changes({ operation: 'scope_asset.delete', resource: 'scope_asset', id: 'asset_id' })
  async removeFromScope(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathSlug('event_slug') slug: string,
    @PathId('asset_id') assetId: number,
  ): Promise<SeeOther> {
    await this.reader.requireEvent(caller, organizationId, slug);
    await this.scopes.remove(caller, slug, assetId);
    return new SeeOther(eventUrl(organizationId, slug));
  }
}
