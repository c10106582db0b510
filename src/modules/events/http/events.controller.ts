import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { PathSlug } from '../../../platform/http/path-slug';
import { PageQuery } from '../../../platform/http/page-query';
import { EventsService } from '../events.service';
import { ChangeEventStatusRequest, ChangeSecondLooksRequest, CreateEventRequest, draftOf } from './event.requests';
import { EventListResponse, EventResponse, eventExample, presentEvent } from './event.responses';

@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Operation('POST /v1/organizations/{organization_id}/events/', {
    id: 'createEvent',
    tag: 'Events',
    summary: 'Create an event',
    description: 'The event is scheduled. It starts automatically at its `start_date` and ends at its `end_date`.',
    role: 'admin',
    scope: 'write',
    body: {
      example: {
        name: 'Spring test',
        event_type: 1,
        event_category: 1,
        start_date: '2026-03-02T08:00:00Z',
        dimension: 'virtual',
      },
    },
    success: {
      status: 201,
      description: 'The event.',
      body: EventResponse,
      example: eventExample,
      location: ({ slug }: EventResponse) => `/v1/events/${slug}`,
    },
    errors: [400, 401, 403, 404, 422],
    audit: { operation: 'event.create', resource: 'event' },
  })
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Body() body: CreateEventRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.create(caller, organizationId, draftOf(body)));
  }

  @Operation('GET /v1/organizations/{organization_id}/events/', {
    number: 7,
    id: 'listEvents',
    tag: 'Events',
    summary: 'List the events of an organization',
    role: 'viewer',
    scope: 'read',
    query: PageQuery,
    success: {
      description: 'The events, newest first.',
      body: EventListResponse,
      example: { events: [eventExample] },
      paged: true,
    },
    errors: [401, 403, 404],
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<EventListResponse>> {
    const page = query.slice;
    const slice = await this.events.list(caller.scope, organizationId, page);
    return new PagedBody({ events: slice.items.map(presentEvent) }, page, slice);
  }

  @Operation('GET /v1/events/{event_slug}', {
    id: 'getEvent',
    tag: 'Events',
    summary: 'Read an event',
    role: 'viewer',
    scope: 'read',
    entityTag: true,
    success: { description: 'The event.', body: EventResponse, example: eventExample },
  })
  async get(@CurrentCaller() caller: Caller, @PathSlug('event_slug') slug: string): Promise<EventResponse> {
    return presentEvent(await this.events.get(caller.scope, slug));
  }

  @Operation('POST /v1/events/{event_slug}/status', {
    id: 'changeEventStatus',
    tag: 'Events',
    summary: 'Change the status of an event',
    description:
      'If the transition is not allowed, the error lists the allowed ones. A scheduled event starts automatically. An event that was paused before its `start_date` can be resumed from then on. Setting the current status changes nothing.',
    role: 'admin',
    scope: 'write',
    body: { example: { status: 'paused' } },
    ifMatch: 'getEvent',
    success: {
      description: 'The event after the change.',
      body: EventResponse,
      example: { ...eventExample, status: 'paused' },
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'event.status_change', resource: 'event', id: 'event_slug' },
  })
  async changeStatus(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Body() { status }: ChangeEventStatusRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.changeStatus(caller, slug, status));
  }

  @Operation('PUT /v1/events/{event_slug}/second-look', {
    id: 'changeEventSecondLooks',
    tag: 'Events',
    summary: 'Turn second looks of an event on or off',
    description:
      '`fixed` of retests in the event is looked at once more after the hours that its organization has set. Machine events have it on; a human event sends nothing by itself until an admin turns it on.',
    role: 'admin',
    scope: 'write',
    body: { example: { enabled: true } },
    ifMatch: 'getEvent',
    success: { description: 'The event after the change.', body: EventResponse, example: eventExample },
    audit: { operation: 'event.second_look_change', resource: 'event', id: 'event_slug' },
  })
  async changeSecondLooks(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Body() { enabled }: ChangeSecondLooksRequest,
  ): Promise<EventResponse> {
    return presentEvent(await this.events.changeSecondLooks(caller, slug, enabled));
  }
}
