import { Instant, Name, OneOf, Flag } from '../../../platform/http/fields';
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

export class CreateEventRequest {
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

  @OneOf(DIMENSIONS, { nullable: true })
  dimension?: Dimension | null;

  @OneOf(['draft', 'scheduled'], {
    nullable: true,
    description: 'The default is scheduled. A draft does not start until you schedule it.',
  })
  status?: 'draft' | 'scheduled' | null;
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
  startDate: body.start_date ?? null,
  endDate: body.end_date ?? null,
});
