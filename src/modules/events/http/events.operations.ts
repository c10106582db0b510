import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { EventListResponse, EventResponse, eventExample } from './event.responses';

const operation = operationsTagged('Events');

export const createEvent = operation('POST /v1/organizations/{organization_id}/events/', {
  id: 'createEvent',
  summary: 'Create an event',
  description: 'The event is scheduled. It starts automatically at its `start_date` and ends at its `end_date`.',
  role: 'admin',
  body: {
    example: {
      name: 'Spring test',
      event_type: 1,
      event_category: 1,
      start_date: '2026-03-02T08:00:00Z',
      dimension: 'hybrid',
      dimension_type: 'branch office',
      latitude: 52.52,
      longitude: 13.405,
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
});

export const listEvents = operation('GET /v1/organizations/{organization_id}/events/', {
  number: 7,
  id: 'listEvents',
  summary: 'List the events of an organization',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The events, newest first.',
    body: EventListResponse,
    example: { events: [eventExample] },
    paged: true,
  },
  errors: [401, 403, 404],
});

export const listAllEvents = operation('GET /v1/events', {
  id: 'listAllEvents',
  summary: 'List the events that the caller may access',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The events, newest first.',
    body: EventListResponse,
    example: { events: [eventExample] },
    paged: true,
  },
  errors: [401, 403],
});

export const getEvent = operation('GET /v1/events/{event_slug}', {
  id: 'getEvent',
  summary: 'Read an event',
  role: 'viewer',
  entityTag: true,
  success: { description: 'The event.', body: EventResponse, example: eventExample },
});

export const changeEvent = operation('PATCH /v1/events/{event_slug}', {
  id: 'changeEvent',
  summary: 'Change the name, the dates or the place of an event',
  description:
    'Omitted fields do not change, and null removes a value. `start_date` can change until the event has started, and `end_date` until it is finished or canceled. The slug stays.',
  role: 'admin',
  body: { example: { end_date: '2026-03-16T08:00:00Z', dimension_type: 'branch office' } },
  ifMatch: 'getEvent',
  success: { description: 'The event after the change.', body: EventResponse, example: eventExample },
  errors: [400, 401, 403, 404, 409],
  audit: { operation: 'event.change', resource: 'event', id: 'event_slug' },
});

export const changeEventStatus = operation('POST /v1/events/{event_slug}/status', {
  id: 'changeEventStatus',
  summary: 'Change the status of an event',
  description:
    'If the transition is not allowed, the error lists the allowed ones. A scheduled event starts automatically. An event that was paused before its `start_date` can be resumed from then on. Setting the current status changes nothing.',
  role: 'admin',
  body: { example: { status: 'paused' } },
  ifMatch: 'getEvent',
  success: {
    description: 'The event after the change.',
    body: EventResponse,
    example: { ...eventExample, status: 'paused' },
  },
  errors: [400, 401, 403, 404, 409],
  audit: { operation: 'event.status_change', resource: 'event', id: 'event_slug' },
});

export const changeEventSecondLooks = operation('PUT /v1/events/{event_slug}/second-look', {
  id: 'changeEventSecondLooks',
  summary: 'Turn second looks of an event on or off',
  description:
    'A `fixed` retest in the event gets a second look after the hours that its organization has set. Machine events have it on; a human event sends nothing by itself until an admin turns it on.',
  role: 'admin',
  body: { example: { enabled: true } },
  ifMatch: 'getEvent',
  success: { description: 'The event after the change.', body: EventResponse, example: eventExample },
  audit: { operation: 'event.second_look_change', resource: 'event', id: 'event_slug' },
});
