import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { type Event, EventsService, reasonNotTestable } from '../../modules/events';
import { JobsService } from '../../modules/jobs';
import type { Scope } from '../../platform/api/scope';
import { Select } from '../frame/form';
import { scansUrl } from '../urls';

/** An event that a scan can belong to. */
export interface EventChoice extends Pick<Event, 'slug' | 'name'> {
  /** Whether only its scope refuses the target that was typed. */
  readonly isOutside: boolean;
}

const MAX_EVENTS = 100;
/** Each is asked whether its scope contains the target. */
const MAX_CHOICES = 20;

@Injectable()
export class EventChoices {
  constructor(
    private readonly events: EventsService,
    private readonly jobs: JobsService,
  ) {}

  /** The events that run. */
  async list(scope: Scope, organizationId: number, { url, beaconId }: TypedScan): Promise<EventChoice[]> {
    const { items } = await this.events.list(scope, organizationId, { page: 1, perPage: MAX_EVENTS });
    const running = items.filter(({ status }) => reasonNotTestable(status, 'job') === null).slice(0, MAX_CHOICES);
    const isAllowed = async (eventSlug: string | null): Promise<boolean> =>
      (await this.jobs.check(scope, { url, beaconId, eventSlug, organizationId })).launchable;
    // While it is typed, it may be no URL.
    const isTarget = running.length > 0 && (await isAllowed(null).catch(() => false));
    const choices: EventChoice[] = [];
    for (const { slug, name } of running) choices.push({ slug, name, isOutside: isTarget && !(await isAllowed(slug)) });
    return choices;
  }
}

/** What a form for a scan has so far, which may be anything. */
export interface TypedScan {
  readonly url: string;
  readonly beaconId: number | null;
  readonly eventSlug: string | undefined;
}

export function typedIn(fields: Readonly<Record<string, unknown>>): TypedScan {
  const { url, beacon_id: beacon, event_slug: eventSlug } = fields;
  const beaconId = typeof beacon === 'number' || typeof beacon === 'string' ? Number(beacon) : 0;
  return {
    url: typeof url === 'string' ? url : '',
    beaconId: Number.isSafeInteger(beaconId) && beaconId > 0 ? beaconId : null,
    eventSlug: typeof eventSlug === 'string' ? eventSlug : undefined,
  };
}

interface EventSelectProps {
  readonly view: {
    readonly organizationId: number;
    readonly events: readonly EventChoice[];
    readonly typed: TypedScan;
  };
}

/** The events whose scope contains the target. A script asks for them again when the target changes. */
export function EventSelect({ view: { organizationId, events, typed } }: EventSelectProps): VNode {
  const offered = events.filter(({ slug, isOutside }) => !isOutside || slug === typed.eventSlug);
  const outside = events.length - offered.length;
  return (
    <div
      id="event-choice"
      class="field"
      hx-get={scansUrl(organizationId)}
      hx-trigger="change from:#url, change from:#beacon_id"
      hx-include="#url, #beacon_id, #event_slug"
      hx-select="#event-choice"
      hx-swap="outerHTML"
    >
      <Select
        name="event_slug"
        label="Event"
        value={typed.eventSlug}
        options={[
          { value: '', label: outside === 0 ? 'No event' : `No event (${outside} without this target in scope)` },
          ...offered.map(({ slug, name, isOutside }) => ({
            value: slug,
            label: isOutside ? `${name}: the target is outside of its scope` : name,
          })),
        ]}
      />
    </div>
  );
}
