import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../kernel/durations';
import { Clock } from '../../kernel/clock';
import type { Scope } from '../../platform/api/scope';
import { type Event, EventsService, hasEnded } from '../events';
import { EventTargetsRepository } from './data/event-targets.repository';
import { totalsOf } from './domain/target-totals';
import { nextRunOf } from './next-run-of';

/** The newest events that are looked at, and those of them that are shown. */
const LOOKED_AT = { page: 1, perPage: 50 } as const;
const SHOWN = 5;

export interface EventAhead {
  readonly event: Event;
  /** Within 24 hours; null if nothing is due. */
  readonly next: Date | null;
  readonly notTestable: number;
}

/** What the machine events of an organization test next, and what they could not test. */
@Injectable()
export class EventOverview {
  constructor(
    private readonly events: EventsService,
    private readonly targets: EventTargetsRepository,
    private readonly clock: Clock,
  ) {}

  async of(scope: Scope, organizationId: number): Promise<EventAhead[]> {
    const { items } = await this.events.list(scope, organizationId, LOOKED_AT);
    const automatic = items.filter(({ automatic, status }) => automatic === true && !hasEnded(status)).slice(0, SHOWN);
    const now = this.clock.now();
    return Promise.all(
      automatic.map(async (event) => {
        const counts = await this.targets.count(event.id, now, now);
        const next = nextRunOf(event, counts, now);
        const isSoon = next !== null && next.getTime() - now.getTime() < DAY_MS;
        return { event, next: isSoon ? next : null, notTestable: totalsOf(counts).notTestable };
      }),
    );
  }
}
