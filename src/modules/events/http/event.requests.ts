import { MAX_WINDOWS, parseWindows } from '../../../kernel/opening-windows';
import { TEST_DEPTHS, type TestDepth } from '../../../kernel/test-depth';
import { Coordinate } from '../../../platform/http/coordinate';
import { Decimal, Flag, Instant, Integer, Name, OneOf, TextListWithRule } from '../../../platform/http/fields';
import { AccountsOfPlan } from '../../accounts';
import { CHANGEABLE_FIELDS, type EventChange } from '../domain/event-change';
import { EVENT_STATUSES, type EventStatus } from '../domain/event-status';
import {
  DIMENSIONS,
  type Dimension,
  EVENT_CATEGORY,
  EVENT_TYPE,
  type EventCategory,
  type EventType,
} from '../domain/event-vocabulary';
import type { EventDraft } from '../events.service';

/** Where it takes place. */
class EventPlaceRequest {
  @OneOf(DIMENSIONS, { nullable: true })
  dimension?: Dimension | null;

  @Name(100, { nullable: true, description: 'What kind of place or system it is, in words: `branch office`.' })
  dimension_type?: string | null;

  @Coordinate(90, { nullable: true, description: 'In degrees, north of the equator. Given with `longitude`.' })
  latitude?: number | null;

  @Coordinate(180, { nullable: true, description: 'In degrees, east of Greenwich. Given with `latitude`.' })
  longitude?: number | null;
}

const WINDOW_BOUNDS = { minItems: 0, maxItems: MAX_WINDOWS, maxLength: 100 };

/** How a machine event works by itself. */
class AutomationRequest extends EventPlaceRequest {
  @Integer(1, 720, { nullable: true, description: 'How often it tests again. Null for 24.' })
  every_hours?: number | null;

  @TextListWithRule(parseWindows, WINDOW_BOUNDS, {
    nullable: true,
    description: 'When it may send something, such as `Mo-Fr 20:00-06:00 Europe/Lisbon`. Null for always.',
  })
  windows?: string[] | null;

  @Decimal(0.1, 100, {
    nullable: true,
    description: 'To each target, and never more than the installation allows. Null for as much as it allows.',
  })
  requests_per_second?: number | null;

  @Integer(1, 20, { nullable: true, description: 'How many targets are tested at a time. Null for 2.' })
  parallel_targets?: number | null;

  @OneOf(TEST_DEPTHS, {
    nullable: true,
    description: 'Of its jobs. `active` needs the consent of an admin on each asset. Null for standard.',
  })
  depth?: TestDepth | null;

  @AccountsOfPlan()
  accounts?: number[] | null;

  @Flag({ nullable: true, description: 'Whether it orders its report as PDF and JSON when it finishes.' })
  report_at_end?: boolean | null;
}

export class CreateEventRequest extends AutomationRequest {
  @Flag({
    nullable: true,
    description: 'Whether a machine event tests its scope by itself, as new ones do unless you set false.',
  })
  automatic?: boolean | null;

  @Name()
  name!: string;

  @OneOf(Object.values(EVENT_TYPE), { description: '1 machine, 2 human.' })
  event_type!: EventType;

  @OneOf(Object.values(EVENT_CATEGORY), { description: '1 pentest, 2 red team, 3 continuous.' })
  event_category!: EventCategory;

  @Instant({ nullable: true, description: 'By default the current time.' })
  start_date?: Date | null;

  @Instant(
    {
      nullable: true,
      description:
        'Required for a human event. For a machine event the default length of the organization’s integrator applies, initially 14 days.',
    },
    'upper',
  )
  end_date?: Date | null;

  @OneOf(['draft', 'scheduled'], {
    nullable: true,
    description: 'The default is scheduled. A draft does not start until you schedule it.',
  })
  status?: 'draft' | 'scheduled' | null;
}

export class ChangeEventRequest extends AutomationRequest {
  @Flag({ optional: true, description: 'Whether a machine event tests its scope by itself.' })
  automatic?: boolean;

  @Name(200, { optional: true })
  name?: string;

  @Instant({ optional: true, description: 'Until the event has started.' })
  start_date?: Date;

  @Instant({ optional: true, description: 'Until the event is finished or canceled.' }, 'upper')
  end_date?: Date;
}

export class ChangeEventStatusRequest {
  @OneOf(EVENT_STATUSES)
  status!: EventStatus;
}

export class ChangeSecondLooksRequest {
  @Flag()
  enabled!: boolean;
}

export const draftOf = (body: CreateEventRequest): EventDraft => ({
  name: body.name,
  eventType: body.event_type,
  eventCategory: body.event_category,
  status: body.status ?? 'scheduled',
  dimension: body.dimension ?? null,
  dimensionType: body.dimension_type ?? null,
  latitude: body.latitude ?? null,
  longitude: body.longitude ?? null,
  automatic: body.automatic ?? null,
  everyHours: body.every_hours ?? null,
  windows: body.windows ?? null,
  requestsPerSecond: body.requests_per_second ?? null,
  parallelTargets: body.parallel_targets ?? null,
  depth: body.depth ?? null,
  accounts: body.accounts ?? null,
  reportAtEnd: body.report_at_end ?? null,
  startDate: body.start_date ?? null,
  endDate: body.end_date ?? null,
});

/** Omitted fields do not change. */
export const changeOfEvent = (body: ChangeEventRequest): EventChange =>
  Object.fromEntries(
    Object.entries(CHANGEABLE_FIELDS).flatMap(([name, field]) => {
      const value = body[name as keyof ChangeEventRequest];
      return value === undefined ? [] : [[field, value]];
    }),
  );
