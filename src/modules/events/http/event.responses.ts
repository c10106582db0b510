import { ResponseField } from '../../../platform/api/response-field';
import type { Event } from '../data/event.entity';
import { EVENT_STATUSES } from '../domain/event-status';
import { hasSecondLooks } from '../domain/second-looks';
import { DIMENSIONS, EVENT_CATEGORY, EVENT_TYPE } from '../domain/event-vocabulary';

export class EventResponse {
  @ResponseField.integer({ nullable: true })
  id!: number | null;

  @ResponseField.string()
  name!: string;

  @ResponseField.string({ description: 'The identifier of the event in paths.' })
  slug!: string;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.integer({ enum: Object.values(EVENT_TYPE), description: '1 machine, 2 human.' })
  event_type!: number;

  @ResponseField.integer({ enum: Object.values(EVENT_CATEGORY), description: '1 pentest, 2 red team, 3 continuous.' })
  event_category!: number;

  @ResponseField.string({ nullable: true, enum: DIMENSIONS })
  dimension!: string | null;

  @ResponseField.number({ nullable: true })
  latitude!: number | null;

  @ResponseField.number({ nullable: true })
  longitude!: number | null;

  @ResponseField.boolean({ description: '`fixed` of retests in it is looked at again after some hours.' })
  second_look!: boolean;

  @ResponseField.instant()
  start_date!: string;

  @ResponseField.instant()
  end_date!: string;

  @ResponseField.string({ enum: EVENT_STATUSES, description: 'GET /v1/enums lists the allowed transitions.' })
  status!: string;

  @ResponseField.string({ nullable: true })
  dimension_type!: string | null;

  @ResponseField.string({ nullable: true })
  picture!: string | null;
}

export class EventListResponse {
  @ResponseField.list(EventResponse)
  events!: EventResponse[];
}

export const presentEvent = (event: Event): EventResponse => ({
  id: event.id,
  name: event.name,
  slug: event.slug,
  organization_id: event.organizationId,
  event_type: event.eventType,
  event_category: event.eventCategory,
  dimension: event.dimension,
  latitude: event.latitude,
  longitude: event.longitude,
  second_look: hasSecondLooks(event),
  start_date: event.startDate.toISOString(),
  end_date: event.endDate.toISOString(),
  status: event.status,
  dimension_type: event.dimensionType,
  picture: event.picture,
});

export const eventExample = {
  id: 3,
  name: 'Spring test',
  slug: 'spring-test-4k2p9x',
  organization_id: 7,
  event_type: 1,
  event_category: 1,
  dimension: 'virtual',
  latitude: null,
  longitude: null,
  second_look: true,
  start_date: '2026-03-02T08:00:00.000Z',
  end_date: '2026-03-16T08:00:00.000Z',
  status: 'scheduled',
  dimension_type: null,
  picture: null,
};
