import { TEST_DEPTHS } from '../../../kernel/test-depth';
import { presented, ResponseField } from '../../../platform/api/response-field';
import type { Event } from '../data/event.entity';
import { EVENT_STATUSES } from '../domain/event-status';
import { whatIsSent } from '../domain/automation';
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

  @ResponseField.string({ nullable: true, description: 'What kind of place or system it is, in words.' })
  dimension_type!: string | null;

  @ResponseField.string({
    nullable: true,
    description: 'The absolute URL of its picture, read with the same credentials.',
  })
  picture!: string | null;

  @ResponseField.boolean({ description: 'Whether it tests its scope by itself.' })
  automatic!: boolean;

  @ResponseField.string({ nullable: true, description: 'What it sends by itself, and from when. Null if nothing.' })
  sends!: string | null;

  @ResponseField.integer({ nullable: true, description: 'Null for 24.' })
  every_hours!: number | null;

  @ResponseField.strings({ description: 'When it may send something. Empty for always.' })
  windows!: readonly string[];

  @ResponseField.number({ nullable: true, description: 'To each target. Null for what the installation allows.' })
  requests_per_second!: number | null;

  @ResponseField.integer({ nullable: true, description: 'Null for 2.' })
  parallel_targets!: number | null;

  @ResponseField.string({ enum: TEST_DEPTHS, description: 'Of its jobs.' })
  depth!: string;

  @ResponseField.integers({ description: 'The accounts as which its jobs run, too.' })
  accounts!: number[];

  @ResponseField.boolean({ description: 'Whether it orders its report when it finishes.' })
  report_at_end!: boolean;
}

export class EventListResponse {
  @ResponseField.list(EventResponse)
  events!: EventResponse[];
}

export const presentEvent = (event: Event, apiUrl: string): EventResponse =>
  presented(EventResponse, event, {
    second_look: hasSecondLooks(event),
    picture: event.picture === null ? null : `${apiUrl}${event.picture}`,
    automatic: event.automatic ?? false,
    sends: whatIsSent(event),
    windows: event.windows ?? [],
    depth: event.depth ?? 'standard',
    accounts: [...(event.accounts ?? [])],
    report_at_end: event.reportAtEnd ?? false,
  });

export const eventExample = {
  id: 3,
  name: 'Spring test',
  slug: 'spring-test-4k2p9x',
  organization_id: 7,
  event_type: 1,
  event_category: 1,
  dimension: 'hybrid',
  latitude: 52.52,
  longitude: 13.405,
  second_look: true,
  start_date: '2026-03-02T08:00:00.000Z',
  end_date: '2026-03-16T08:00:00.000Z',
  status: 'scheduled',
  dimension_type: 'branch office',
  picture: 'https://assay.example.com/v1/events/spring-test-4k2p9x/picture',
  automatic: true,
  sends:
    'From 2026-03-02 20:00 UTC on, every asset in its scope is observed and every web origin there is tested: all once, then every 24 hours what changed, and all again on the last day; in these windows only: Mo-Fr 20:00-06:00 Europe/Lisbon, at most 2 targets at a time.',
  every_hours: null,
  windows: ['Mo-Fr 20:00-06:00 Europe/Lisbon'],
  requests_per_second: null,
  parallel_targets: null,
  depth: 'standard',
  accounts: [],
  report_at_end: false,
};
