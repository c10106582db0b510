import { Body, Controller, Get, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { PICTURE_MEDIA_TYPES } from '../../kernel/picture';
import {
  AddScopeAssetRequest,
  ChangeEventRequest,
  ChangeEventStatusRequest,
  CreateEventRequest,
  draftOf,
  EventPicturesService,
  EventScopeService,
  EventsService,
  scopeDraftOf,
} from '../../modules/events';
import { PageQuery } from '../../platform/http/page-query';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { pictureResponse } from '../http/picture-response';
import { Changes, PostChange } from '../http/route-metadata';
import { requireUpload } from '../http/uploads';
import { eventUrl } from '../urls';
import { EventPage } from './event-page';
import { EventReader } from './event-reader';
import { NewEvent, EventsPage } from './events-page';
import { changeOfForm, SecondLooksForm } from './events.requests';

@Controller('o/:organization/events')
export class EventsController {
  constructor(
    private readonly reader: EventReader,
    private readonly events: EventsService,
    private readonly scopes: EventScopeService,
    private readonly pictures: EventPicturesService,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await this.events.list(caller.scope, organizationId, page);
    const mayChange = caller.hasRole('admin', organizationId);
    return new Page('Events', <EventsPage {...{ organizationId, slice, page, url, mayChange }} />, 'events', {
      actions: mayChange && <NewEvent organizationId={organizationId} />,
    });
  }

  @PostChange('', { operation: 'event.create', resource: 'event' })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() form: CreateEventRequest,
  ): Promise<SeeOther> {
    const { slug } = await this.events.create(caller, organizationId, draftOf(form));
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @Get(':event_slug')
  async show(
    @InOrganization() place: Place<'event'>,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.read(place, page);
    return new Page(view.event.name, <EventPage {...{ view, page, url }} />, 'events');
  }

  @PostChange(':event_slug', { operation: 'event.change', resource: 'event', id: 'event_slug' })
  async change(
    @InOrganization() { caller, organizationId, event }: Place<'event'>,
    @Body() form: ChangeEventRequest,
  ): Promise<SeeOther> {
    await this.events.change(caller, event.slug, changeOfForm(form, event));
    return new SeeOther(eventUrl(organizationId, event.slug));
  }

  @Get(':event_slug/picture')
  async picture(
    @InOrganization() { caller: { scope }, event: { slug } }: Place<'event'>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return pictureResponse(await this.pictures.get(scope, slug), response);
  }

  @PostChange(':event_slug/picture', { operation: 'event.picture_change', resource: 'event', id: 'event_slug' })
  async replacePicture(
    @InOrganization() { caller, organizationId, event: { slug } }: Place<'event'>,
    @Req() request: PortalRequest,
  ): Promise<SeeOther> {
    const { mediaType, content } = requireUpload(request, 'picture', PICTURE_MEDIA_TYPES);
    await this.pictures.replace(caller, slug, mediaType, content);
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @PostChange(':event_slug/picture/delete', { operation: 'event.picture_delete', resource: 'event', id: 'event_slug' })
  async deletePicture(
    @InOrganization() { caller, organizationId, event: { slug } }: Place<'event'>,
  ): Promise<SeeOther> {
    await this.pictures.remove(caller, slug);
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @PostChange(':event_slug/status', { operation: 'event.status_change', resource: 'event', id: 'event_slug' })
  async changeStatus(
    @InOrganization() { caller, organizationId, event: { slug } }: Place<'event'>,
    @Body() { status }: ChangeEventStatusRequest,
  ): Promise<SeeOther> {
    await this.events.changeStatus(caller, slug, status);
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @PostChange(':event_slug/second-look', { operation: 'event.second_look_change', resource: 'event', id: 'event_slug' })
  async changeSecondLooks(
    @InOrganization() { caller, organizationId, event: { slug } }: Place<'event'>,
    @Body() { enabled }: SecondLooksForm,
  ): Promise<SeeOther> {
    await this.events.changeSecondLooks(caller, slug, enabled === 'on');
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @PostChange(':event_slug/scope', { operation: 'scope_asset.create', resource: 'scope_asset' })
  async addToScope(
    @InOrganization() { caller, organizationId, event: { slug } }: Place<'event'>,
    @Body() form: AddScopeAssetRequest,
  ): Promise<SeeOther> {
    await this.scopes.add(caller, slug, scopeDraftOf(form));
    return new SeeOther(eventUrl(organizationId, slug));
  }

  @Post(':event_slug/scope/:asset_id/delete')
  @Changes({ operation: 'scope_asset.delete', resource: 'scope_asset', id: 'asset_id' })
  async removeFromScope(
    @InOrganization() { caller, organizationId, event: { slug }, asset: { id: assetId } }: Place<'event' | 'asset'>,
  ): Promise<SeeOther> {
    await this.scopes.remove(caller, slug, assetId);
    return new SeeOther(eventUrl(organizationId, slug));
  }
}
